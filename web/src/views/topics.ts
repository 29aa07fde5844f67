import { format, type Address } from '../address';
import { called, Failure, get, orNothing, post, type DocumentList, type Scored, type Times, type Topic, type TopicList } from '../api';
import { bar, h, percent, plural } from '../dom';
import { renaming } from '../naming';
import { timesOf } from '../times';
import type { Model, View } from '../model';
import { pager } from './document';

const reads = (value: number): string => (value >= 0.2 ? 'reads well' : value >= 0.08 ? 'reads fairly' : 'reads mixed');
const coherence = (value: number | null): HTMLElement | false => value !== null && h('span',
  { class: 'muted', title: 'Coherence: how often its words occur together in documents that they were not chosen on, from −1 to 1 (NPMI)' },
  `${reads(value)} (${value.toFixed(2)})`);

function cloud(topic: Topic): HTMLElement {
  const most = Math.max(...topic.words.map(w => w.score), 0.001);
  return h('p', { class: 'cloud muted' }, ...topic.words.slice(topic.named ? 0 : 3).flatMap(w => [h('span', { '--size': Math.max(0, w.score / most).toFixed(2) }, w.shown), ' ']));
}

/** Nothing where documents have no dates. */
const overTime = (model: Model): Promise<Times | null> => (model.info.dates ? get<Times>('times?by=year').catch(orNothing) : Promise.resolve(null));

function none(): View {
  return {
    title: 'Topics',
    node: h('div', { class: 'narrow' }, h('h1', { tabindex: '-1' }, 'Topics'),
      h('p', {}, 'This model has no topics: its method does not make any. The ', h('a', { href: '#/map' }, 'map'), ' and ', h('a', { href: '#/document' }, 'documents'), ' work without them.')),
  };
}

export async function topicsView(_: Address, model: Model): Promise<View> {
  if (model.topics.length === 0) return none();
  const most = Math.max(...model.topics.map(t => t.share));
  const times = await overTime(model);
  const line = (t: Topic): HTMLElement | false => {
    const own = times && timesOf(times, t.topic);
    return !!own && h('p', { class: 'small muted', title: `Share from ${own.said}` }, own.line, own.said);
  };
  const card = (t: Topic): HTMLElement => h('li', { class: `card ${model.colour(t.topic)}` },
    h('h2', {}, h('a', { href: format('topic', t.topic) }, h('span', { class: 'number' }, t.topic), h('span', { class: 'name' }, model.name(t.topic)))),
    cloud(t),
    h('div', { class: 'measure' }, bar(t.share / most, model.colour(t.topic)), h('span', {}, `${percent(t.share)} of all`), coherence(t.coherence)),
    line(t),
    t.documents.length > 0 && h('ul', { class: 'plain' }, ...t.documents.map(d => h('li', {}, h('a', { href: format('document', d.id) }, called(d))))),
    t.related.length > 0 && h('p', { class: 'chips' }, h('span', { class: 'muted' }, 'near '), ...t.related.slice(0, 3).map(r => model.chip(r.topic))));
  return {
    title: 'Topics',
    node: h('div', {}, h('h1', { tabindex: '-1' }, 'Topics'),
      h('p', { class: 'lead muted' }, `What the ${plural(model.info.documents, 'document')} are about, in ${plural(model.topics.length, 'topic')}, the largest first. Larger words say more.`),
      h('ul', { class: 'cards' }, ...[...model.topics].sort((a, b) => b.share - a.share).map(card))),
  };
}

const pageSize = 20;

export async function topicView(address: Address, model: Model): Promise<View> {
  if (model.topics.length === 0) return none();
  const number = Number(address.id);
  const page = Math.max(1, Number(address.query['page']) || 1);
  const known = model.topic(number);
  if (!known) throw new Failure(404, `There is no topic ${address.id}: they are numbered from 1 to ${model.topics.length}.`);
  const [full, documents, near, times] = await Promise.all([
    get<TopicList>('topics?top=30&examples=3'),
    get<DocumentList>(`documents?topic=${number}&from=${(page - 1) * pageSize}&k=${pageSize}`),
    post<Scored[]>('similar', { topic: number, k: 8 }),
    overTime(model),
  ]);
  const topic = full.topics.find(t => t.topic === number) ?? known;
  const most = Math.max(...topic.words.map(w => w.score), 0.001);
  const colour = model.colour(number);
  const order = [...model.topics].sort((a, b) => b.share - a.share);
  const place = order.indexOf(known);
  const step = (to: Topic | undefined, text: string): HTMLElement | false => to !== undefined && h('a', { href: format('topic', to.topic) }, text);
  return {
    title: `Topic ${number}: ${model.name(number)}`,
    node: h('div', { class: `one-topic ${colour}` },
      h('nav', { class: 'trail', 'aria-label': 'Topics' }, h('a', { href: '#/topics' }, 'All topics'), step(order[place - 1], '← larger'), step(order[place + 1], 'smaller →')),
      h('h1', { tabindex: '-1', class: 'topic-title' }, h('span', { class: 'number' }, number), h('span', { class: 'name' }, model.name(number, 4))),
      model.info.renaming && renaming({ topic: number }, model.name(number), known.named, () => {}),
      h('p', { class: 'facts' }, h('span', {}, `${percent(topic.share)} of all`), h('span', {}, `main topic of ${plural(documents.total, 'document')}`), coherence(topic.coherence),
        h('a', { href: format('map', '', { colour: 'topic', only: String(number) }) }, 'Show it on the map')),
      times && timesOf(times, number)?.chart,
      h('div', { class: 'two' },
        h('section', {}, h('h2', {}, 'Its words'), h('ol', { class: 'bars words' }, ...[...topic.words].sort((a, b) => b.score - a.score).map(w => h('li', {}, h('span', {}, w.shown), bar(w.score / most, colour))))),
        h('div', {},
          topic.related.length > 0 && h('section', {}, h('h2', {}, 'Related topics'), h('p', { class: 'chips' }, ...topic.related.map(r => model.chip(r.topic)))),
          h('section', {}, h('h2', {}, 'Nearest documents'), h('ol', { class: 'plain' }, ...near.map(d =>
            h('li', { class: 'line' }, h('a', { href: format('document', d.id) }, called(d)), h('span', { class: 'score' }, d.score.toFixed(2)))))),
          h('section', {}, h('h2', {}, 'All its documents'),
            documents.documents.length > 0
              ? h('ul', { class: 'plain' }, ...documents.documents.map(d => h('li', {}, h('a', { href: format('document', d.id) }, called(d)))))
              : h('p', { class: 'muted' }, 'It is no document’s main topic; those above come nearest.'),
            pager(page, Math.ceil(documents.total / pageSize), n => format('topic', number, { page: n > 1 ? String(n) : '' })))))),
  };
}
