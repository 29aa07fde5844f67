import { parse, type Address, type ViewName } from './address';
import { Failure, whenModelChanges } from './api';
import { h, plural } from './dom';
import { arrive, noteScroll, scrollOf, show, shownEntry, stay } from './entries';
import { Model, type View } from './model';
import { searchBox } from './search';
import { themeButton } from './theme';
import { compareView } from './views/compare';
import { documentView } from './views/document';
import { mapView } from './views/map';
import { topicView, topicsView } from './views/topics';
import { writeView } from './views/write';

const views: Record<ViewName, (address: Address, model: Model) => Promise<View>> = {
  write: writeView, map: mapView, topics: topicsView, topic: topicView, document: documentView, compare: compareView,
};
const place = (id: string): HTMLElement => document.getElementById(id)!;
const main = place('main');
const trouble = place('trouble');
let model: Model | undefined;
let current: View | undefined;
let turn = 0;
/** A server that does not answer is asked again by itself, more and more slowly. What was seen stays, and works as far as it can. */
let retry = 0;
let retries = 0;
let retrying = false;

function showFacts(known: Model): void {
  const { info } = known;
  place('model').textContent = info.name;
  place('facts').replaceChildren(...[
    plural(info.documents, 'document'), plural(info.links, 'link'), plural(info.words, 'word'),
    info.topics > 0 ? plural(info.topics, 'topic') : 'no topics', info.labels > 0 ? plural(info.labels, 'label') : 'no labels', `method ${info.method}`,
  ].map(fact => h('span', {}, fact)));
}

/** What a view is called in "Go to …". */
const titles: Record<ViewName, string> = { write: 'Write', map: 'Map', topics: 'Topics', topic: 'the topic', document: 'Documents', compare: 'Compare' };
const titleOf = ({ view, id }: Address): string => (view === 'document' && id !== '' ? 'the document' : titles[view]);

function stopRetrying(): void {
  clearTimeout(retry);
  retrying = false;
}

/** The reader goes on with what is still there: it is not taken away in the middle of that, and where they wanted to go is offered. */
function stayHere(): void {
  if (!retrying || !current) return;
  const wanted = location.hash;
  const elsewhere = arrive().entry !== shownEntry();
  stopRetrying();
  turn++;
  main.removeAttribute('aria-busy');
  trouble.replaceChildren('The server did not answer. ', elsewhere
    ? h('a', { href: wanted }, `Go to ${titleOf(parse(wanted))}`)
    : h('button', { type: 'button', onclick: () => void navigate(false) }, 'Try again'));
  stay();
}

function showTrouble(error: unknown): void {
  const failure = error instanceof Failure ? error : new Failure(-1, 'Something went wrong in this page.');
  if (failure.status === -1) console.error(error);
  if (failure.status === 404 || failure.status === 400) {
    current?.leave?.();
    current = undefined;
    show(-1);
    stopRetrying();
    trouble.hidden = true;
    main.replaceChildren(h('div', { class: 'narrow' }, h('h1', { tabindex: '-1' }, 'Not here'), h('p', {}, failure.message),
      h('p', {}, 'Go to ', h('a', { href: '#/document' }, 'all documents'), ', the ', h('a', { href: '#/map' }, 'map'), ' or ', h('a', { href: '#/write' }, 'write'), ' a text.')));
    return;
  }
  const said = `${failure.message}${failure.status === -1 ? '' : ' It is asked again by itself.'} `;
  if (trouble.hidden || trouble.firstChild?.textContent !== said) {
    trouble.replaceChildren(said, h('button', { type: 'button', onclick: () => void navigate(false) }, 'Try again'));
  }
  trouble.hidden = false;
  if (failure.status === -1) return;
  retrying = true;
  retry = window.setTimeout(() => void navigate(false), Math.min(15000, 1000 * 2 ** retries++));
}

function showNavigation({ view }: Address): void {
  for (const link of place('nav').querySelectorAll('a')) {
    const here = parse(link.hash).view === (view === 'topic' ? 'topics' : view);
    if (here) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

const isTyping = (): boolean => main.contains(document.activeElement) && document.activeElement!.matches('input:not([type=radio]), textarea');

/** `quietly`: not where the reader has begun to type meanwhile. */
async function navigate(moved: boolean, quietly = false): Promise<void> {
  const mine = ++turn;
  noteScroll();
  current?.keep?.();
  const { entry, address, again } = arrive();
  showNavigation(address);
  clearTimeout(retry);
  if (moved && current && entry === shownEntry()) { // its view was never left
    main.removeAttribute('aria-busy');
    if (retrying) trouble.hidden = true;
    stopRetrying();
    return;
  }
  const slow = window.setTimeout(() => main.setAttribute('aria-busy', 'true'), 200);
  try {
    if (!model) {
      const waiting = window.setTimeout(() => main.replaceChildren(h('p', { class: 'loading', role: 'status' }, 'The model is being loaded. The first time takes longest.')), 700);
      model = await Model.load().finally(() => clearTimeout(waiting));
      showFacts(model);
    }
    const view = await views[address.view](address, model);
    if (mine !== turn) {
      view.leave?.();
      return;
    }
    if (quietly && isTyping()) {
      view.leave?.();
      void showAnew(current);
      return;
    }
    current?.leave?.();
    current = view;
    show(entry);
    trouble.hidden = true;
    retries = 0;
    stopRetrying();
    main.replaceChildren(view.node);
    document.title = `${view.title} · idne`;
    view.shown?.();
  } catch (error) {
    if (mine !== turn) return;
    showTrouble(error);
  } finally {
    clearTimeout(slow);
    if (mine === turn) main.removeAttribute('aria-busy');
  }
  if (moved && mine === turn) {
    main.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
    window.scrollTo(0, again ? scrollOf(entry) : 0);
    if (!again) current?.arrived?.();
  }
}

/** The server has taken up a new model: what is seen is shown anew, quietly. */
async function renew(): Promise<void> {
  if (!model) return;
  try {
    const fresh = await Model.load();
    if (fresh.info.version === model.info.version) return;
    model = fresh;
    showFacts(model);
  } catch {
    return; // the next answer tells again
  }
  if (current?.renew) {
    current.renew(model);
    return;
  }
  await showAnew(current);
}

/** Not while somebody types in it, a name for instance: then when they are done. */
async function showAnew(view: View | undefined): Promise<void> {
  const active = document.activeElement;
  if (view !== current) return;
  if (isTyping()) {
    active!.addEventListener('blur', () => window.setTimeout(() => void showAnew(view)), { once: true });
    return;
  }
  const reading = main.contains(active);
  await navigate(false, true);
  if (reading && !isTyping()) main.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
}

document.querySelector('.skip')!.addEventListener('click', event => {
  event.preventDefault();
  main.focus();
});
history.scrollRestoration = 'manual';
themeButton(place('theme') as HTMLButtonElement);
searchBox(place('find'));
for (const kind of ['input', 'click', 'keydown']) {
  main.addEventListener(kind, event => {
    if (!(event.target as Element).closest('a') && (event as KeyboardEvent).key !== 'Tab') stayHere();
  });
}
whenModelChanges(() => void renew());
window.addEventListener('hashchange', () => void navigate(true));
void navigate(false);
