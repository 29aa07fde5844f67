import { format } from './address';
import { called, get, passes, saying, type Found, type Hit } from './api';
import { h, later, plural } from './dom';

/** Milliseconds until a server that did not answer is asked again. */
const again = 3000;

/** The search box of the header: hits appear below it, each with the words that it has, or "by meaning". */
export function searchBox(place: HTMLElement): void {
  const input = h('input', { type: 'search', id: 'q', placeholder: 'Search documents  ( / )', 'aria-keyshortcuts': '/', autocomplete: 'off', 'aria-label': 'Search documents' });
  const status = h('p', { class: 'unseen', role: 'status' });
  const list = h('div', { class: 'hits', hidden: true });

  const close = (): void => {
    list.hidden = true;
  };

  /** The query that the hits in the list are of. */
  let shown = '';
  /** Enter was pressed before its hits came. */
  let wanted = '';
  const asked = (): string => input.value.trim();

  const snippet = (hit: Hit): (HTMLElement | string)[] => (hit.snippet ?? []).map(part => (part.match ? h('b', {}, part.text) : part.text));

  function show(query: string, hits: Hit[]): void {
    shown = query;
    list.hidden = false;
    status.textContent = hits.length > 0 ? `${plural(hits.length, 'hit')}. Arrow down goes to them.` : 'Nothing was found.';
    if (hits.length === 0) {
      list.replaceChildren(h('p', { class: 'muted' }, 'Nothing was found. Try other or fewer words.'));
      return;
    }
    list.replaceChildren(
      h('ul', {}, ...hits.map(hit => h('li', {}, h('a', { href: format('document', hit.id, { q: query }) }, h('span', { class: 'name' }, called(hit)),
        h('span', { class: 'muted snippet' }, ...(hit.snippet?.length ? snippet(hit) : [hit.words.length > 0 ? hit.words.join(', ') : 'by meaning'])))))),
      h('a', { class: 'all', href: format('map', '', { q: query }) }, 'Show on the map'));
    if (wanted === query) openFirst();
  }

  function openFirst(): void {
    wanted = '';
    list.querySelector('a')?.click();
  }

  async function searchNow(): Promise<void> {
    const query = asked();
    if (query === '') {
      close();
      return;
    }
    try {
      const { results } = await get<Found>(`search?q=${encodeURIComponent(query)}&k=8&snippets=8`);
      if (query === asked() && place.contains(document.activeElement)) show(query, results);
    } catch (error) {
      if (query !== asked() || !place.contains(document.activeElement)) return;
      shown = wanted = '';
      list.hidden = false;
      list.replaceChildren(h('p', { role: 'alert' }, saying(error)));
      if (passes(error)) window.setTimeout(() => query === asked() && !list.hidden && void searchNow(), again);
    }
  }
  const search = later(150, () => void searchNow());

  input.addEventListener('input', () => {
    wanted = '';
    search();
  });
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
    } else if (event.key === 'Enter' && document.activeElement === input && asked() !== '') {
      if (shown === asked() && !list.hidden) {
        openFirst();
      } else {
        wanted = asked();
        search.cancel();
        void searchNow();
      }
    } else {
      return;
    }
    event.preventDefault();
  });
  place.addEventListener('focusout', event => {
    if (!place.contains(event.relatedTarget as Node | null)) close();
  });
  list.addEventListener('pointerdown', event => event.preventDefault());
  const end = (): void => {
    close();
    input.value = shown = wanted = '';
  };
  window.addEventListener('hashchange', end);
  list.addEventListener('click', event => {
    const link = (event.target as Element).closest('a');
    if (link?.hash !== location.hash || event.ctrlKey || event.metaKey) return;
    end(); // it is open already
    document.querySelector<HTMLElement>('main h1')?.focus();
  });
  document.addEventListener('keydown', event => {
    const { target } = event;
    const typing = target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select, dialog *'));
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || typing) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
  place.append(input, list, status);
}
