import { format, type Address } from '../address';
import { called, get, passes, post, read, saying, type DocumentList, type Explanation, type Placed, type Suggestion, type Suggestions } from '../api';
import { copyButton, copyChoice } from '../copying';
import { bar, count, h, later, likelihood, percent, plural } from '../dom';
import { Editor, lookOf } from '../editor';
import { amend, draftKey, remember, split } from '../entries';
import { edited, plainRanges, rangesOf, strengths, whileOver, type Range } from '../marks';
import type { Model, View } from '../model';
import { forAndAgainst, pairWords, scoreParts, voterLine } from '../reasons';
import { tour } from '../tour';
import { WhereMap } from '../where';

const firstLinks = 6;
/** Tags that are seen at once: the links below them should be, too. */
const firstTags = 4;
const likely = 0.1;
const linesOnMap = 10;
const hint = 'A question, a note, the first lines of an article …';
/** Milliseconds until a server that did not answer is asked again; twice as many each time. */
const firstWait = 1000;
const longestWait = 15000;

/** The first sentences of a text, up to about so many letters. */
export function beginning(text: string, most = 260): string {
  const tidy = text.replace(/\s+/g, ' ').trim();
  if (tidy.length <= most) return tidy;
  const end = Math.max(...['. ', '? ', '! '].map(stop => tidy.lastIndexOf(stop, most)));
  return end > most / 3 ? tidy.slice(0, end + 1) : `${tidy.slice(0, tidy.lastIndexOf(' ', most))} …`;
}

/** Beginnings of documents of large topics, or their titles where the server has no texts. */
async function exampleTexts(model: Model): Promise<string[]> {
  const large = [...model.topics].sort((a, b) => b.share - a.share).filter(t => t.documents.length > 0).slice(0, 3);
  const some = large.length > 0 ? large.map(t => t.documents[0]!) : (await get<DocumentList>('documents?from=0&k=3')).documents;
  if (!model.info.texts) return some.map(called);
  const docs = await Promise.all(some.map(d => read(d.id)));
  return docs.map(d => beginning(d.tokens.map(t => t.text).join('')) || called(d));
}

export async function writeView(address: Address, model: Model): Promise<View> {
  let text = address.query['text'] ?? address.kept?.['text'] ?? sessionStorage.getItem(draftKey) ?? '';
  let ranges: Range[] = [];

  const editor = new Editor({
    id: 'text', class: 'writing', lang: '', 'aria-labelledby': 'text-label', 'aria-describedby': 'said',
    'aria-placeholder': hint, 'data-hint': hint,
  }, () => changed());
  editor.text = text;
  const said = h('p', { class: 'said muted', id: 'said' });
  const status = h('p', { class: 'unseen', role: 'status' });
  const trouble = h('p', { class: 'note unanswered', hidden: true });
  const doubts = h('p', { class: 'note doubts', hidden: true });
  const tags = h('ol', { class: 'bars' });
  const links = h('ol', { class: 'links' });
  const more = h('button', { type: 'button', class: 'quiet', hidden: true, onclick: () => {
    const at = shownLinks;
    shownLinks = Infinity;
    showLinks();
    (links.children[at] as HTMLElement | undefined)?.querySelector('a')?.focus();
  } });
  let found: Suggestion[] = [];
  let foundTags: HTMLElement[] = [];
  let allTags = false;
  let tagsAtFirst = 0;
  const moreTags = h('button', { type: 'button', class: 'quiet', hidden: true, onclick: () => {
    allTags = true;
    showTags();
    foundTags[tagsAtFirst]?.querySelector('a')?.focus();
  } });
  /** The words that are meant, as they stand in the text, while the text itself is scrolled away. */
  const glance = h('p', { class: 'glance', hidden: true, 'aria-hidden': 'true' });
  let shownLinks = firstLinks;
  const topics = h('ol', { class: 'bars' });
  const results = h('div', { class: 'results', hidden: true },
    h('section', { 'aria-labelledby': 'tags-title' }, h('h2', { id: 'tags-title' }, 'Tags'), tags, moreTags),
    h('section', { 'aria-labelledby': 'links-title', class: 'linking' }, h('div', { class: 'label' }, h('h2', { id: 'links-title' }, 'Documents to link to'), copyChoice()), links, more));
  const where = new WhereMap(model);
  const about = h('section', { 'aria-labelledby': 'about-title', hidden: true }, h('h2', { id: 'about-title' }, 'Topics of this text'), topics);
  const clear = h('button', { type: 'button', class: 'quiet', onclick: () => fill('') }, 'Clear');
  const start = h('section', { class: 'start', 'aria-label': 'Where to begin' });

  const usual = model.topics.length > 0
    ? 'Words take the colour of their topic. Point at one, or move into it, to see which.'
    : 'This model has no topics, so words have no colours; tags and links work as ever.';
  said.textContent = usual;

  function paint(): void {
    const places = new Map<string, [number, number][]>();
    const strong = strengths(ranges);
    ranges.forEach((r, n) => {
      if (r.topic === null || strong[n] === 'none') return;
      const { hue, under } = model.look(r.topic);
      const look = lookOf(hue, under, strong[n] === 'strong');
      places.set(look, [...(places.get(look) ?? []), [r.start, r.end]]);
    });
    editor.mark('topic', [...places].map(([look, all]) => ({ look, places: all })));
    pointAt();
  }

  /** Shows which words are meant, bringing one of them into view; none without a test. */
  function pointAt(meant?: (range: Range) => boolean): void {
    const places = meant ? ranges.filter(meant).map((r): [number, number] => [r.start, r.end]) : [];
    editor.mark('meant', meant ? [{ look: 'meant', places }] : []);
    editor.reveal(places);
    glanceAt(places);
  }

  function glanceAt(places: readonly (readonly [number, number])[]): void {
    const first = places[0];
    glance.hidden = !first || editor.node.getBoundingClientRect().bottom > 40;
    if (!first || glance.hidden) return;
    const start = first[0] < 30 ? 0 : text.lastIndexOf(' ', first[0] - 20) + 1;
    const end = start + 160;
    const pieces: (string | HTMLElement)[] = [start > 0 ? '… ' : ''];
    let place = start;
    for (const [from, to] of places.filter(p => p[1] <= end)) {
      pieces.push(text.slice(place, from), h('b', {}, text.slice(from, to)));
      place = to;
    }
    glance.replaceChildren(...pieces, text.slice(place, end), end < text.length ? ' …' : '');
  }

  function explainWord(range: Range | undefined): void {
    editor.mark('here', range?.topic ? [{ look: 'here', places: [[range.start, range.end]] }] : []);
    if (!range?.topic) {
      said.textContent = usual;
      return;
    }
    said.replaceChildren(h('strong', {}, text.slice(range.start, range.end)), ' is of topic ', model.chip(range.topic));
  }

  const rangeAt = (place: number): Range | undefined => ranges.find(r => r.start <= place && place <= r.end);
  const atCaret = (): void => explainWord(rangeAt(editor.caret));

  function atPointer(event: PointerEvent): void {
    const range = rangeAt(editor.at(event.clientX, event.clientY));
    if (range?.topic) explainWord(range);
  }

  function linkItem(link: Suggestion): HTMLElement {
    const words = new Set([...link.words.map(w => w.word), ...link.pairs.filter(p => p.part > 0).map(p => p.word)]);
    const item = h('li', {},
      h('div', { class: 'line' }, h('a', { class: 'title', href: format('document', link.id) }, called(link)),
        scoreParts(link), h('span', { class: 'score', title: 'Score of this link' }, link.score.toFixed(2)), copyButton(link)),
      link.reasons.length > 0 && h('p', { class: 'through' }, h('span', { class: 'muted' }, 'through '), ...pairWords(link.reasons, link.score)),
      voterLine(link),
      h('p', { class: 'chips' }, ...link.topics.filter(t => t.part / link.score >= 0.01).slice(0, 3).map(t => model.chip(t.topic, t.part / link.score))));
    whileOver(item, () => pointAt(r => words.has(r.word)), () => pointAt());
    return item;
  }

  function topicItem(topic: number, share: number, most: number): HTMLElement {
    const own = [...new Set(ranges.filter(r => r.topic === topic).map(r => r.word))];
    const item = h('li', {}, model.chip(topic), bar(share / most, model.colour(topic)), h('span', { class: 'value' }, percent(share)),
      h('span', { class: 'own muted' }, own.length > 0 ? own.slice(0, 8).join(', ') : ''));
    whileOver(item, () => pointAt(r => r.topic === topic), () => pointAt());
    return item;
  }

  function showTags(): void {
    tags.replaceChildren(...(allTags ? foundTags : foundTags.slice(0, tagsAtFirst)));
    moreTags.hidden = allTags || foundTags.length <= tagsAtFirst;
    moreTags.textContent = `Show ${plural(foundTags.length - tagsAtFirst, 'more tag')}`;
  }

  function showLinks(): void {
    links.replaceChildren(...found.slice(0, shownLinks).map(linkItem));
    more.hidden = found.length <= shownLinks;
    more.textContent = `Show ${count(found.length - shownLinks)} more`;
  }

  function show(suggested: Suggestions, explained: Explanation | null, placed: Placed): void {
    const reservations = [...(suggested.doubts ?? []), ...(placed.far ? ['this text is unlike the documents here: few of its words are known, or nothing is near'] : [])];
    const unsure = reservations.length > 0;
    ranges = explained ? rangesOf(text, explained.tokens) : plainRanges(text);
    paint();
    const known = suggested.links.length > 0 && (!explained || ranges.length > 0);
    trouble.hidden = known;
    results.classList.remove('stale');
    about.classList.remove('stale');
    trouble.textContent = 'The model knows none of these words. Write a little more, or use words that its documents use.';
    results.hidden = !known;
    about.hidden = !known || !explained;
    if (!known) {
      doubts.hidden = true;
      status.textContent = trouble.textContent;
      return;
    }
    const labels = suggested.labels.filter((l, i) => i === 0 || l.probability >= 0.01).slice(0, unsure ? 3 : undefined);
    foundTags = labels.map(l => h('li', {}, h('a', { class: 'tag', href: format('map', '', { colour: 'label', only: l.label }) }, l.label),
      bar(unsure ? 0 : l.probability), h('span', { class: 'value' }, unsure ? 'perhaps' : likelihood(l.probability)), forAndAgainst(l.words)));
    tagsAtFirst = Math.max(1, Math.min(firstTags, labels.filter(l => unsure || l.probability >= likely).length));
    showTags();
    if (labels.length === 0) tags.replaceChildren(h('li', { class: 'muted' }, 'This model was trained without tags.'));
    found = suggested.links;
    showLinks();
    doubts.textContent = unsure ? `Low confidence: ${reservations.join('; ')}. Take what follows as a guess.` : '';
    doubts.hidden = !unsure;
    const main = (explained?.topics ?? []).filter(t => t.share >= 0.01).slice(0, 6);
    topics.replaceChildren(...main.map(t => topicItem(t.topic, t.share, main[0]!.share)));
    status.textContent = `${plural(labels.length, 'tag')} and ${plural(suggested.links.length, 'document')} to link to; first ${labels[0]?.label ?? ''}, ${suggested.links[0] ? called(suggested.links[0]) : ''}.`;
  }

  let busy = false;
  let left = false;
  let wait = firstWait;
  async function answer(): Promise<void> {
    if (busy || left) return;
    const asked = text;
    if (asked.trim() === '') return;
    busy = true;
    try {
      const [suggested, explained] = await Promise.all([
        post<Suggestions>('suggest', { text: asked, k: 20, reasons: 5 }),
        model.topics.length > 0 ? post<Explanation>('explain', { text: asked }) : null,
      ]);
      const placed = await post<Placed>('place', { text: asked, targets: suggested.links.slice(0, linesOnMap).map(l => l.id) });
      wait = firstWait;
      if (asked === text) {
        show(suggested, explained, placed);
        void where.show(asked, placed);
      }
    } catch (error) {
      if (asked === text) fail(error);
    } finally {
      busy = false;
      if (asked !== text) void answer();
    }
  }

  /** Says that what is shown is not of this text, and asks again by itself if that may help. */
  function fail(error: unknown): void {
    const old = results.hidden ? '' : ' What is shown is of an earlier text.';
    trouble.textContent = `${saying(error)}${old}`;
    trouble.hidden = false;
    status.textContent = trouble.textContent;
    results.classList.add('stale');
    about.classList.add('stale');
    if (!passes(error) || left) return;
    window.setTimeout(() => void answer(), wait);
    wait = Math.min(2 * wait, longestWait);
  }

  const soon = later(150, () => void answer());
  const keep = later(300, () => {
    remember(draftKey, text);
    amend('write', '', ...split('text', text));
  });

  function changed(): void {
    const now = editor.text;
    ranges = edited(ranges, text, now);
    text = now;
    clear.hidden = text === '';
    start.hidden = text !== '';
    if (text.trim() === '') {
      results.hidden = about.hidden = where.node.hidden = trouble.hidden = doubts.hidden = true;
      said.textContent = usual;
    }
    paint();
    keep();
    soon();
  }

  function fill(value: string): void {
    editor.text = value;
    changed();
    editor.node.focus();
  }

  editor.node.addEventListener('pointermove', atPointer);
  editor.node.addEventListener('pointerleave', atCaret);
  editor.node.addEventListener('keyup', atCaret);

  const around = (href: string, title: string, text: string): HTMLElement => h('li', {}, h('a', { href, class: 'title' }, title), h('p', { class: 'muted' }, text));
  const examples = h('ul', { class: 'examples' });
  let example = '';
  // They come when they come: the page is of use without them.
  void exampleTexts(model).then(texts => {
    example = texts[0] ?? '';
    examples.replaceChildren(...texts.map(t => h('li', {}, h('button', { type: 'button', class: 'example', onclick: () => fill(t) }, t))));
    begin.hidden = example === '';
  }).catch(() => {});
  let guide: HTMLElement | undefined;
  const begin = h('button', { type: 'button', class: 'main', hidden: true, onclick: async () => {
    fill(example);
    soon.cancel();
    await answer();
    guide?.remove();
    guide = tour(() => {
      guide = undefined;
      editor.node.focus();
    });
    page.append(guide);
  } }, 'Take a short tour');
  start.append(h('p', { class: 'touring' }, begin), h('h2', {}, 'Try one of these'), examples,
  h('h2', {}, 'Or look around'), h('ul', { class: 'around' },
    around('#/map', 'Map', `All ${plural(model.info.documents, 'document')}, those alike side by side`),
    model.topics.length > 0 && around('#/topics', 'Topics', `What they are about, in ${plural(model.topics.length, 'topic')}`),
    around('#/document', 'Documents', 'Read one, and see why its neighbours are near')));
  clear.hidden = text === '';
  start.hidden = text !== '';
  paint();
  if (text) void answer();

  const page = h('div', { class: 'write' },
      h('div', { class: 'intro' },
        h('h1', { tabindex: '-1' }, 'Where does a text belong?'),
        h('p', { class: 'lead muted' }, 'Type or paste one. Its tags, the documents to link it to, and the reasons, appear as you write.')),
      h('div', { class: 'left' }, h('div', { class: 'page' },
        h('div', { class: 'label' }, h('span', { id: 'text-label', onclick: () => editor.node.focus() }, 'Your text'), clear),
        editor.node,
        said, trouble), h('div', { class: 'about' }, about, where.node)),
      start, doubts, results, glance, status);
  return {
    title: 'Write',
    node: page,
    renew: newer => {
      model = newer;
      void answer();
    },
    shown: () => {
      if (text) keep();
    },
    keep: keep.flush,
    leave: () => {
      left = true;
      guide?.querySelector<HTMLElement>('.quiet')?.click();
      soon.cancel();
      keep.flush();
      where.stop();
      for (const look of ['topic', 'meant', 'here']) editor.mark(look, []);
    },
  };
}
