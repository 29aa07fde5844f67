// Two texts or documents side by side, and what they share.
import { format, type Address } from '../address';
import { called, get, passes, post, read, saying, type Doc, type Explanation, type Found, type Hit, type Share, type Suggestions } from '../api';
import { bar, h, later, percent, plural } from '../dom';
import { amend } from '../entries';
import type { Model, View } from '../model';
import { reason } from '../reasons';

const longest = 1500;
/** Milliseconds until a server that did not answer is asked again. */
const again = 3000;
/** What is compared: a document, or a text that may be empty. */
interface Side { doc?: Doc; text: string }

const subject = (side: Side): { document: string } | { text: string } => (side.doc ? { document: side.doc.id } : { text: side.text });
const given = (side: Side): boolean => side.doc !== undefined || side.text.trim() !== '';

/** Chooses a document by its name, or takes a text. */
function chooser(name: string, side: Side, changed: () => void): HTMLElement {
  const node = h('section', { class: 'side-by-side', 'aria-label': name });
  const hits = h('ul', { class: 'plain hits-here', 'aria-label': `Documents for the ${name} side` });

  const asked = (): string | undefined => (node.isConnected ? node.querySelector('input')?.value.trim() : undefined);
  const find = later(200, async (query: string) => {
    let found: Hit[] = [];
    try {
      if (query !== '') found = (await get<Found>(`search?q=${encodeURIComponent(query)}&k=6`)).results;
    } catch (error) {
      if (query !== asked()) return;
      hits.replaceChildren(h('li', {}, h('span', { role: 'alert' }, saying(error))));
      if (passes(error)) window.setTimeout(() => query === asked() && find(query), again);
      return;
    }
    if (query !== asked()) return;
    hits.replaceChildren(...found.map(hit => h('li', {}, h('button', { type: 'button', class: 'quiet', onclick: async () => {
      side.doc = await read(hit.id);
      show();
      changed();
      node.querySelector<HTMLElement>('a')?.focus();
    } }, called(hit)))));
  });

  function show(): void {
    if (side.doc) {
      const text = side.doc.tokens.map(t => t.text).join('');
      node.replaceChildren(
        h('div', { class: 'label' }, h('h2', {}, h('a', { href: format('document', side.doc.id) }, called(side.doc))),
          h('button', { type: 'button', class: 'quiet', onclick: () => {
            side.doc = undefined;
            show();
            changed();
            node.querySelector('input')?.focus();
          } }, 'Another')),
        h('p', { class: 'excerpt', lang: '' }, text.length > 700 ? `${text.slice(0, 700)} …` : text));
      return;
    }
    const area = h('textarea', { rows: '7', 'aria-label': `Text, ${name}`, placeholder: 'Type or paste a text …', oninput: () => {
      side.text = area.value;
      changed();
    } });
    area.value = side.text;
    const search = h('input', { type: 'search', placeholder: 'or find a document', 'aria-label': `Find a document for the ${name} side`, autocomplete: 'off', oninput: () => find(search.value.trim()) });
    hits.replaceChildren();
    node.replaceChildren(h('h2', {}, `The ${name} text`), area, search, hits);
  }
  show();
  return node;
}

/** Topics of both, those that count in either, with a bar for each side. */
function topicTable(first: readonly Share[], second: readonly Share[], model: Model): HTMLElement | false {
  const share = (all: readonly Share[], topic: number): number => all.find(t => t.topic === topic)?.share ?? 0;
  const numbers = [...new Set([...first, ...second].filter(t => t.share >= 0.03).map(t => t.topic))]
    .sort((a, b) => Math.min(share(first, b), share(second, b)) - Math.min(share(first, a), share(second, a))).slice(0, 8);
  const cell = (part: number, topic: number): HTMLElement => h('td', {}, bar(part, model.colour(topic)), h('span', { class: 'value' }, percent(part)));
  return numbers.length > 0 && h('section', {}, h('h2', {}, 'Topics'), h('table', { class: 'both' },
    h('thead', {}, h('tr', {}, ...['Topic', 'First', 'Second'].map(c => h('th', { scope: 'col' }, c)))),
    h('tbody', {}, ...numbers.map(t => h('tr', {}, h('th', { scope: 'row' }, model.chip(t)), cell(share(first, t), t), cell(share(second, t), t))))));
}

/** Documents that both are linked with; of a text, those that it could be linked to. */
async function sharedLinks(sides: readonly [Side, Side]): Promise<HTMLElement> {
  const near = async (side: Side): Promise<{ id: string; title: string }[]> => side.doc?.links ?? (await post<Suggestions>('suggest', { text: side.text, k: 20 })).links;
  const [first, second] = await Promise.all(sides.map(near)) as [{ id: string; title: string }[], { id: string; title: string }[]];
  const ids = new Set(second.map(d => d.id));
  const common = first.filter(d => ids.has(d.id));
  const [a, b] = sides;
  const direct = a.doc && b.doc && (a.doc.links.some(d => d.id === b.doc!.id) || b.doc.links.some(d => d.id === a.doc!.id));
  const what = a.doc && b.doc ? 'Both are linked with' : 'Both could be linked with, or are';
  return h('section', {}, h('h2', {}, 'Links'),
    a.doc && b.doc && h('p', {}, direct ? 'They are linked with each other.' : 'They are not linked with each other.'),
    common.length === 0 ? h('p', { class: 'muted' }, 'They have no link in common.')
      : h('div', {}, h('p', { class: 'muted' }, `${what} ${plural(common.length, 'document')}:`), h('ul', { class: 'plain' }, ...common.slice(0, 12).map(d => h('li', {}, h('a', { href: format('document', d.id) }, called(d)))))));
}

export async function compareView(address: Address, model: Model): Promise<View> {
  const { a = '', b = '', ta = '', tb = '' } = address.query;
  const [first, second] = await Promise.all([a, b].map(id => (id ? read(id) : undefined)));
  const sides: [Side, Side] = [{ doc: first, text: ta }, { doc: second, text: tb }];
  const shared = h('div', { class: 'shared' });
  const status = h('p', { class: 'unseen', role: 'status' });
  const hint = h('p', { class: 'muted' }, 'Give two texts or documents, and see here what they share.');
  let turn = 0;

  const topicsOf = async (side: Side): Promise<Share[]> => (model.topics.length === 0 ? [] : side.doc?.topics ?? (await post<Explanation>('explain', { text: side.text })).topics);

  async function compare(): Promise<void> {
    const mine = ++turn;
    const [one, two] = sides;
    const short = (text: string): string => (text.length < longest ? text : '');
    amend('compare', '', { a: one.doc?.id ?? '', b: two.doc?.id ?? '', ta: one.doc ? '' : short(one.text), tb: two.doc ? '' : short(two.text) });
    if (!given(one) || !given(two)) {
      shared.replaceChildren(hint);
      return;
    }
    try {
      const [why, links, ofFirst, ofSecond] = await Promise.all([reason(subject(one), subject(two), model), sharedLinks(sides), topicsOf(one), topicsOf(two)]);
      if (mine !== turn) return;
      const table = topicTable(ofFirst, ofSecond, model);
      shared.replaceChildren(h('section', {}, h('h2', {}, 'Why they are near, or not'), why.node), ...(table ? [table] : []), links);
      status.textContent = 'Compared.';
    } catch (error) {
      if (mine !== turn) return;
      shared.replaceChildren(h('p', { class: 'note', role: 'alert' }, saying(error)));
      if (passes(error)) window.setTimeout(() => mine === turn && void compare(), again);
    }
  }
  const soon = later(300, () => void compare());
  await compare();

  return {
    title: 'Compare',
    node: h('div', { class: 'compare' }, h('h1', { tabindex: '-1' }, 'Two side by side'),
      h('p', { class: 'lead muted' }, 'What do two texts have in common: words, topics, links?'),
      h('div', { class: 'sides' }, chooser('first', sides[0], soon), chooser('second', sides[1], soon)), shared, status),
    leave: () => {
      turn++;
      soon.cancel();
    },
  };
}
