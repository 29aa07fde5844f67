// A short tour: what is where, one thing after another, with a text that is there already.
import { h } from './dom';

interface Stop { at: string; said: string }
const stops: readonly Stop[] = [
  { at: '.writing', said: 'Here you write. Words that count take the colour of their topic; point at one to see which.' },
  { at: '.results section', said: 'These tags fit the text, with the words that speak for and against each.' },
  { at: '.linking', said: 'These documents could be linked to, the best first, and why. Copy takes one along as a link.' },
  { at: '.where', said: 'This is where the text lies among all documents. A click on a point opens that document; the link above opens the large map.' },
  { at: '#nav', said: 'Map, Topics and Documents show what there is; Compare puts two side by side. The key / goes to the search.' },
];

/** Goes from one thing to the next as far as they are shown; Escape ends it. */
export function tour(done: () => void): HTMLElement {
  let at = -1;
  const said = h('p', { 'aria-live': 'polite' });
  const next = h('button', { type: 'button', class: 'main', onclick: () => step() }, 'Next');
  const end = h('button', { type: 'button', class: 'quiet', onclick: () => stop() }, 'End');
  const node = h('div', { class: 'tour', role: 'region', 'aria-label': 'Tour' }, said, h('p', {}, next, end));
  const place = (stop: Stop | undefined): HTMLElement | null => (stop ? document.querySelector<HTMLElement>(stop.at) : null);
  const seen = (element: HTMLElement | null): element is HTMLElement => element !== null && element.offsetParent !== null;

  /** Below the page, so that what is spoken of can stand above the box. */
  function makeRoom(pixels = 0): void {
    document.documentElement.style.scrollPaddingBottom = document.body.style.paddingBottom = pixels > 0 ? `${pixels}px` : '';
  }

  function leave(): void {
    place(stops[at])?.classList.remove('shown-now');
  }

  function step(): void {
    leave();
    do at++;
    while (at < stops.length && stops[at]!.at !== '#nav' && !seen(place(stops[at])));
    const now = stops[at];
    if (!now) {
      stop();
      return;
    }
    said.textContent = now.said;
    next.textContent = at + 1 < stops.length ? 'Next' : 'Done';
    const element = place(now)!;
    element.classList.add('shown-now');
    makeRoom(node.offsetHeight + 40);
    element.scrollIntoView({ block: 'nearest' });
    next.focus({ preventScroll: true });
  }

  function stop(): void {
    leave();
    makeRoom();
    node.remove();
    done();
  }
  node.addEventListener('keydown', event => {
    if (event.key === 'Escape') stop();
  });
  queueMicrotask(step);
  return node;
}
