// A suggestion taken along: as a link of a wiki, of Markdown, as an id or an address.
import { format } from './address';
import { called } from './api';
import { h } from './dom';

interface Named { id: string; title: string }

const address = (d: Named): string => `${location.href.replace(/#.*/, '')}${format('document', d.id)}`;

/** Characters that no page of a wiki has in its name, and those that end or part a link. */
const notInNames = /[[\]{}|<>#\p{Cc}]/u;
const oneLine = (text: string, without: RegExp): string => text.replace(without, ' ').replace(/\s+/g, ' ').trim();

/** By its title, or where that can be no name of a page by its id, shown as the title. */
function wikiLink(d: Named): string {
  const name = called(d);
  if (!notInNames.test(name)) return `[[${name}]]`;
  const shown = oneLine(name, /[[\]{}|<>]/g);
  if (notInNames.test(d.id)) return `[[${oneLine(name, /[[\]{}|<>#]/g)}]]`;
  return shown === '' || shown === d.id ? `[[${d.id}]]` : `[[${d.id}|${shown}]]`;
}

/** Parentheses, which an address may have, would end it. */
const markdownLink = (d: Named): string =>
  `[${oneLine(called(d), /[\p{Cc}]/gu).replace(/[[\]\\`<]/g, '\\$&')}](${address(d).replace(/[()]/g, c => (c === '(' ? '%28' : '%29'))})`;

export const forms: Record<string, { name: string; of(d: Named): string }> = {
  wiki: { name: 'wiki link', of: wikiLink },
  markdown: { name: 'Markdown', of: markdownLink },
  id: { name: 'id', of: d => d.id },
  url: { name: 'URL', of: address },
};
const key = 'idne.copy';
const chosen = (): string => (localStorage.getItem(key) ?? '') in forms ? localStorage.getItem(key)! : 'wiki';

/** How the buttons below copy. */
export function copyChoice(): HTMLElement {
  const select = h('select', { 'aria-label': 'Copy links as' }, ...Object.entries(forms).map(([value, { name }]) => h('option', { value, selected: value === chosen() }, name)));
  select.addEventListener('change', () => localStorage.setItem(key, select.value));
  return h('span', { class: 'copy-as muted' }, 'Copy as ', select);
}

/** The clipboard is for pages that came encrypted or from this machine; elsewhere the old way still works. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = h('textarea', { class: 'unseen' });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

export function copyButton(named: Named): HTMLElement {
  const button = h('button', { type: 'button', class: 'quiet copy', 'aria-label': `Copy the link to ${called(named)}` }, 'Copy');
  const status = h('span', { class: 'unseen', 'aria-live': 'polite' });
  button.addEventListener('click', async () => {
    const done = await copy(forms[chosen()]!.of(named));
    button.textContent = done ? 'Copied' : 'Not copied';
    status.textContent = done ? `Copied as ${forms[chosen()]!.name}` : 'The browser does not allow to copy';
    button.focus();
    window.setTimeout(() => {
      button.textContent = 'Copy';
      status.textContent = '';
    }, 2000);
  });
  return h('span', { class: 'copying' }, button, status);
}
