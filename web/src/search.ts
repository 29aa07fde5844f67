import { format } from './address';
import { called, get, type Hit } from './api';
import { h, later, plural } from './dom';

/** The search box of the header: hits appear below it, each with the words that it has, or "by meaning". */
export function searchBox(place: HTMLElement): void {
  const input = h('input', { type: 'search', id: 'q', placeholder: 'Search documents', autocomplete: 'off', 'aria-label': 'Search documents' });
  const status = h('p', { class: 'unseen', role: 'status' });
  const list = h('div', { class: 'hits', hidden: true });

  const close = (): void => {
    list.hidden = true;
  };

  function show(query: string, hits: Hit[]): void {
    list.hidden = false;
    status.textContent = hits.length > 0 ? `${plural(hits.length, 'hit')}. Arrow down goes to them.` : 'Nothing was found.';
    if (hits.length === 0) {
      list.replaceChildren(h('p', { class: 'muted' }, 'Nothing was found. Try other or fewer words.'));
      return;
    }
    list.replaceChildren(
      h('ul', {}, ...hits.map(hit => h('li', {}, h('a', { href: format('document', hit.id) }, h('span', { class: 'name' }, called(hit)),
        h('span', { class: 'muted' }, hit.words.length > 0 ? hit.words.join(', ') : 'by meaning'))))),
      h('a', { class: 'all', href: format('map', '', { q: query }) }, 'Show on the map'));
  }

  const search = later(150, async () => {
    const query = input.value.trim();
    if (query === '') {
      close();
      return;
    }
    try {
      const { results } = await get<{ results: Hit[] }>(`search?q=${encodeURIComponent(query)}&k=8`);
      if (query === input.value.trim() && place.contains(document.activeElement)) show(query, results);
    } catch (error) {
      list.hidden = false;
      list.replaceChildren(h('p', { role: 'alert' }, (error as Error).message));
    }
  });

  input.addEventListener('input', () => search());
  input.addEventListener('focus', () => input.value && search());
  place.addEventListener('keydown', event => {
    const links = [...list.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (event.key === 'Escape') {
      close();
      input.focus();
    } else if (event.key === 'ArrowDown' && !list.hidden) {
      links[Math.min(at + 1, links.length - 1)]?.focus();
    } else if (event.key === 'ArrowUp' && at >= 0) {
      (links[at - 1] ?? input).focus();
    } else if (event.key === 'Enter' && document.activeElement === input && links[0]) {
      links[0].click();
    } else {
      return;
    }
    event.preventDefault();
  });
  place.addEventListener('focusout', event => {
    if (!place.contains(event.relatedTarget as Node | null)) close();
  });
  list.addEventListener('pointerdown', event => event.preventDefault());
  window.addEventListener('hashchange', () => {
    close();
    input.value = '';
  });
  place.append(input, list, status);
}
