import { format, type Address } from '../address';
import { called, get, orNothing, passes, post, read, saying, type DocumentList, type Scored, type Suggestions, type Verdict } from '../api';
import { bar, count, h, likelihood, percent, plural } from '../dom';
import { copyButton, copyChoice } from '../copying';
import { judge } from '../feedback';
import { highlightWords, marked, point, rangesOf, whileOver } from '../marks';
import type { Model, View } from '../model';
import { renaming } from '../naming';
import { reason } from '../reasons';

export function pager(page: number, pages: number, address: (page: number) => string): HTMLElement | false {
  return pages > 1 && h('nav', { class: 'pager', 'aria-label': 'Pages' },
    page > 1 ? h('a', { href: address(page - 1), rel: 'prev' }, '← Before') : h('span', { class: 'muted' }, '← Before'),
    h('span', {}, `Page ${count(page)} of ${count(pages)}`),
    page < pages ? h('a', { href: address(page + 1), rel: 'next' }, 'After →') : h('span', { class: 'muted' }, 'After →'));
}

export const labelLink = (label: string): HTMLElement => h('a', { class: 'tag', href: format('document', '', { label }) }, label);

const pageSize = 30;
/** Milliseconds until a server that did not answer is asked again. */
const again = 3000;
/** As in the style sheet. */
const sideBySide = matchMedia('(min-width: 62rem)');

/** Without an id: all documents, page by page, or those with one label. */
async function listView(address: Address, model: Model): Promise<View> {
  const page = Math.max(1, Number(address.query['page']) || 1);
  const label = address.query['label'] ?? '';
  const found = await get<DocumentList>(`documents?from=${(page - 1) * pageSize}&k=${pageSize}${label ? `&label=${encodeURIComponent(label)}` : ''}`);
  const title = label ? `Documents tagged ${label}` : 'Documents';
  return {
    title,
    node: h('div', { class: 'narrow' }, h('h1', { tabindex: '-1' }, title),
      label !== '' && model.info.renaming && renaming({ label }, label, true, name => (location.hash = format('document', '', { label: name }))),
      h('p', { class: 'lead muted' }, `${plural(found.total, 'document')}. `, label && h('a', { href: '#/document' }, 'See all'), label ? ' · ' : '',
        h('a', { href: format('map', '', label ? { colour: 'label', only: label } : {}) }, 'See them on the map')),
      h('ul', { class: 'rows' }, ...found.documents.map(d => h('li', {}, h('a', { class: 'title', href: format('document', d.id) }, called(d)),
        h('span', { class: 'chips' }, ...d.labels.filter(l => l !== label).slice(0, 3).map(labelLink), d.topic !== null && model.chip(d.topic))))),
      found.documents.length === 0 && h('p', {}, 'There is nothing here. Try another page or label.'),
      pager(page, Math.ceil(found.total / pageSize), n => format('document', '', { label, page: n > 1 ? String(n) : '' }))),
  };
}

/** What the server suggests for a document, if people may say what they think of it; a model that keeps no words suggests nothing. */
async function suggestionsFor(id: string, model: Model): Promise<Suggestions | null> {
  return model.info.feedback ? post<Suggestions>('suggest', { document: id, k: 8 }).catch(orNothing) : null;
}

export async function documentView(address: Address, model: Model): Promise<View> {
  if (address.id === '') return listView(address, model);
  const sought = address.query['q'] ?? '';
  const [doc, suggested] = await Promise.all([read(address.id, sought), suggestionsFor(address.id, model)]);
  const text = doc.tokens.map(t => t.text).join('');
  const body = h('div', { class: 'text', lang: '' }, marked(text, rangesOf(text, doc.tokens), model, true));
  let chosen: Set<string> | undefined;
  const pointChosen = (): void => point(body, chosen && (m => chosen!.has(m.dataset['word'] ?? '')));
  const unfold = h('button', { type: 'button', class: 'quiet', hidden: true, onclick: () => {
    body.classList.remove('folded');
    unfold.hidden = true;
    unfold.parentElement!.focus();
  } }, 'Show the whole text');

  /** Where text and neighbours stand side by side, the first of the words that are meant comes into view. */
  function showChosen(): void {
    pointChosen();
    const hits = [...body.querySelectorAll<HTMLElement>('mark.hit')];
    const seen = (m: HTMLElement): boolean => m.getBoundingClientRect().top > 60 && m.getBoundingClientRect().bottom < window.innerHeight;
    if (hits.length > 0 && sideBySide.matches && !hits.some(seen)) hits[0]!.scrollIntoView({ block: 'center' });
  }

  /** A list entry, told apart while it is rejected. */
  function judged(item: HTMLElement, kind: 'link' | 'label', target: string, named: string, verdict: Verdict | null): HTMLElement {
    const show = (now: Verdict | null): void => void item.classList.toggle('rejected', now === 'reject');
    item.querySelector('.line')!.append(judge({ kind, document: doc.id, target }, named, verdict, show));
    show(verdict);
    return item;
  }

  function neighbour(other: Scored, index: number, kind: string): HTMLElement {
    const id = `why-${kind}-${index}`;
    const place = h('div', { id, hidden: true });
    const button = h('button', { type: 'button', class: 'why quiet', 'aria-expanded': 'false', 'aria-controls': id, 'aria-label': `Why is ${called(other)} near?` }, 'Why?');
    let words: Set<string> | undefined;
    async function explain(): Promise<void> {
      place.replaceChildren(h('p', { class: 'muted', role: 'status' }, 'Comparing …'));
      try {
        const found = await reason({ document: doc.id }, { document: other.id }, model);
        words = found.words;
        place.replaceChildren(found.node, h('p', {}, h('a', { href: format('compare', '', { a: doc.id, b: other.id }) }, 'See them side by side')));
      } catch (error) {
        place.replaceChildren(h('p', { role: 'alert' }, saying(error)));
        if (passes(error)) window.setTimeout(() => place.isConnected && !place.hidden && !words && void explain(), again);
      }
      if (!place.hidden) chosen = words;
      showChosen();
    }
    button.addEventListener('click', () => {
      const open = place.hidden;
      button.setAttribute('aria-expanded', String(open));
      place.hidden = !open;
      chosen = open ? words : undefined;
      if (open && !words) void explain();
      else showChosen();
    });
    return h('li', {}, h('div', { class: 'line' }, h('a', { class: 'title', href: format('document', other.id) }, called(other)),
      h('span', { class: 'score', title: kind === 'suggested' ? 'Score of this link' : 'How alike they are, at most 1' }, other.score.toFixed(2)), button, kind !== 'link' && copyButton(other)), place);
  }

  function neighbours(title: string, kind: string, all: Scored[], first: number, nothing: string, finish = (item: HTMLElement, _: Scored): HTMLElement => item): HTMLElement {
    const items = all.map((d, i) => finish(neighbour(d, i, kind), d));
    const rest = h('button', { type: 'button', class: 'quiet', onclick: () => {
      items.forEach(i => (i.hidden = false));
      items[first]?.querySelector('a')?.focus();
      rest.remove();
    } }, `Show ${count(items.length - first)} more`);
    items.slice(first).forEach(i => (i.hidden = true));
    return h('section', {}, kind === 'link' ? h('h2', {}, title) : h('div', { class: 'label' }, h('h2', {}, title), copyChoice()), items.length > 0 ? h('ol', { class: 'links' }, ...items) : h('p', { class: 'muted' }, nothing), items.length > first && rest);
  }

  /** Suggestions to accept or reject; those that were rejected before can be asked for again. */
  function suggestions(found: Suggestions): HTMLElement[] {
    const labels = found.labels.filter(l => !doc.labels.includes(l.label) && (l.verdict || l.probability >= 0.05)).slice(0, 5);
    const tags = labels.map(l => judged(h('li', {}, h('div', { class: 'line' }, h('span', {}, labelLink(l.label)), h('span', { class: 'score' }, likelihood(l.probability)))), 'label', l.label, l.label, (l.verdict ?? null) as Verdict | null));
    const old = [
      ...(found.rejected?.labels ?? []).map(l => judged(h('li', {}, h('div', { class: 'line' }, h('span', {}, labelLink(l.label)))), 'label', l.label, l.label, 'reject')),
      ...(found.rejected?.links ?? []).map(d => judged(h('li', {}, h('div', { class: 'line' }, h('a', { href: format('document', d.id) }, called(d)))), 'link', d.id, called(d), 'reject')),
    ];
    const links = neighbours('Suggested links', 'suggested', found.links, 6, 'Nothing is suggested.', (item, d) => judged(item, 'link', d.id, called(d), ((d as { verdict?: string }).verdict ?? null) as Verdict | null));
    return [
      ...(tags.length > 0 ? [h('section', { class: 'suggested' }, h('h2', {}, 'Suggested tags'), h('ol', { class: 'plain' }, ...tags))] : []), links,
      ...(old.length > 0 ? [h('details', { class: 'suggested' }, h('summary', {}, `Show ${count(old.length)} rejected before`), h('ul', { class: 'plain' }, ...old))] : []),
    ];
  }

  const main = doc.topics.filter(t => t.share >= 0.01).slice(0, 8);
  const topics = main.map(t => {
    const item = h('li', {}, model.chip(t.topic), bar(t.share / main[0]!.share, model.colour(t.topic)), h('span', { class: 'value' }, percent(t.share)));
    whileOver(item, () => point(body, m => m.dataset['topic'] === String(t.topic)), pointChosen);
    return item;
  });
  let first: Range | undefined; // where the words that were searched for begin
  const linked = doc.links_total > doc.links.length ? `Linked documents (nearest ${count(doc.links.length)} of ${count(doc.links_total)})` : 'Linked documents';

  return {
    title: called(doc),
    node: h('article', { class: 'document' },
      h('header', {},
        h('nav', { class: 'trail', 'aria-label': 'Documents' }, h('a', { href: '#/document' }, 'All documents'), h('a', { href: format('map', '', { doc: doc.id }) }, 'Show it on the map'), h('a', { href: format('compare', '', { a: doc.id }) }, 'Compare it')),
        h('h1', { tabindex: '-1', title: called(doc) }, called(doc)),
        doc.labels.length > 0 && h('p', { class: 'chips' }, ...doc.labels.map(labelLink))),
      h('div', { class: 'reading', tabindex: '-1' },
        !doc.whole && h('p', { class: 'note' }, model.info.texts ? 'This document has no text.' : 'The model keeps no texts: these are the document’s known words, in no order.'),
        body, unfold),
      h('aside', { 'aria-label': 'What it is about and what is near' },
        h('section', {}, h('h2', {}, 'Topics'), topics.length > 0 ? h('ol', { class: 'bars' }, ...topics) : h('p', { class: 'muted' }, model.topics.length > 0 ? 'None of its words is known to a topic.' : 'This model has no topics, so words have no colours.')),
        neighbours(linked, 'link', doc.links, 6, 'It is linked with nothing. The suggestions below are a start.'),
        ...(suggested ? suggestions(suggested) : [neighbours('Near, and not linked yet', 'near', doc.similar, 6, 'Nothing else is near.')]))),
    // A short text stays in sight beside its neighbours, so that the words of a reason are seen.
    shown: () => {
      body.parentElement!.classList.toggle('stays', body.offsetHeight < window.innerHeight - 140);
      const long = !sideBySide.matches && body.offsetHeight > window.innerHeight;
      body.classList.toggle('folded', long && !doc.found?.length);
      unfold.hidden = !body.classList.contains('folded');
      first = highlightWords(body, doc.found ?? []);
    },
    arrived: () => first?.startContainer.parentElement?.scrollIntoView({ block: 'center' }),
    leave: () => void (CSS.highlights as HighlightRegistry | undefined)?.delete('found'),
  };
}
