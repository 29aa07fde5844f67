// Two texts or documents side by side, and what they share.
import { format, type Address } from '../address';
import { called, get, passes, post, read, saying, type CommonLinks, type Doc, type Explanation, type Found, type Hit, type Share } from '../api';
import { bar, h, later, percent, plural } from '../dom';
import { amend, remember, split } from '../entries';
import type { Model, View } from '../model';
import { reason } from '../reasons';

const draftKeys = ['idne.first', 'idne.second'] as const;
const shownLinks = 12;
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

  const trouble = h('p', { role: 'alert' });
  /** The document that was asked for last. */
  let chosen = '';

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
    hits.replaceChildren(...found.map(hit => h('li', {}, h('button', { type: 'button', class: 'quiet', onclick: () => void choose(hit.id) }, called(hit)))));
  });

  async function choose(id: string): Promise<void> {
    chosen = id;
    const still = (): boolean => id === chosen && asked() !== undefined;
    try {
      const doc = await read(id);
      if (!still()) return;
      side.doc = doc;
      show();
      changed();
      node.querySelector<HTMLElement>('a')?.focus();
    } catch (error) {
      if (!still()) return;
      trouble.textContent = saying(error);
      if (passes(error)) window.setTimeout(() => still() && void choose(id), again);
    }
  }

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
      trouble.textContent = chosen = '';
      changed();
    } });
    area.value = side.text;
    const search = h('input', { type: 'search', placeholder: 'or find a document', 'aria-label': `Find a document for the ${name} side`, autocomplete: 'off', oninput: () => {
      trouble.textContent = chosen = '';
      find(search.value.trim());
    } });
    hits.replaceChildren();
    trouble.textContent = chosen = '';
    node.replaceChildren(h('h2', {}, `The ${name} text`), area, search, trouble, hits);
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
async function sharedLinks([a, b]: readonly [Side, Side]): Promise<HTMLElement> {
  const { linked, total, links } = await post<CommonLinks>('links/common', { first: subject(a), second: subject(b), k: shownLinks });
  const what = a.doc && b.doc ? 'Both are linked with' : 'Both could be linked with, or are';
  return h('section', {}, h('h2', {}, 'Links'),
    linked !== null && h('p', {}, linked ? 'They are linked with each other.' : 'They are not linked with each other.'),
    total === 0 ? h('p', { class: 'muted' }, 'They have no link in common.')
      : h('div', {}, h('p', { class: 'muted' }, `${what} ${plural(total, 'document')}${total > links.length ? `; the nearest ${links.length}` : ''}:`),
        h('ul', { class: 'plain' }, ...links.map(d => h('li', {}, h('a', { href: format('document', d.id) }, called(d)))))));
}

export async function compareView(address: Address, model: Model): Promise<View> {
  const { query, kept = {} } = address;
  const [first, second] = await Promise.all([query['a'], query['b']].map(id => (id ? read(id) : undefined)));
  /** What was being compared last, for who comes without saying what. */
  const draft = (n: 0 | 1): string => (Object.keys({ ...query, ...kept }).length > 0 ? '' : sessionStorage.getItem(draftKeys[n]) ?? '');
  const sides: [Side, Side] = [{ doc: first, text: query['ta'] ?? kept['ta'] ?? draft(0) }, { doc: second, text: query['tb'] ?? kept['tb'] ?? draft(1) }];
  const shared = h('div', { class: 'shared' });
  const status = h('p', { class: 'unseen', role: 'status' });
  const hint = h('p', { class: 'muted' }, 'Give two texts or documents, and see here what they share.');
  let turn = 0;

  const topicsOf = async (side: Side): Promise<Share[]> => (model.topics.length === 0 ? [] : side.doc?.topics ?? (await post<Explanation>('explain', { text: side.text })).topics);

  async function compare(): Promise<void> {
    const mine = ++turn;
    const [one, two] = sides;
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
  const hadText = sides.map(side => side.text !== '');
  const soon = later(300, () => void compare());
  const keep = later(300, () => {
    const [one, two] = sides;
    sides.forEach(({ text }, n) => {
      if (text || hadText[n]) remember(draftKeys[n]!, text);
      hadText[n] ||= text !== '';
    });
    const [[shortOne, longOne], [shortTwo, longTwo]] = [split('ta', one.doc ? '' : one.text), split('tb', two.doc ? '' : two.text)];
    amend('compare', '', { a: one.doc?.id ?? '', b: two.doc?.id ?? '', ...shortOne, ...shortTwo }, { ...longOne, ...longTwo });
  });
  const changed = (): void => {
    keep();
    soon();
  };
  await compare();

  return {
    title: 'Compare',
    node: h('div', { class: 'compare' }, h('h1', { tabindex: '-1' }, 'Two side by side'),
      h('p', { class: 'lead muted' }, 'What do two texts have in common: words, topics, links?'),
      h('div', { class: 'sides' }, chooser('first', sides[0], changed), chooser('second', sides[1], changed)), shared, status),
    shown: () => {
      if (hadText.some(Boolean)) keep();
    },
    keep: keep.flush,
    renew: async newer => {
      model = newer;
      for (const side of sides) if (side.doc) side.doc = await read(side.doc.id).catch(() => side.doc);
      void compare();
    },
    leave: () => {
      turn++;
      keep.flush();
      soon.cancel();
    },
  };
}
