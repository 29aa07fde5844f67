// What the colours of the map mean; one of them can be made to stand out.
import type { Group } from './groups';
import { count, h } from './dom';
import { hues } from './model';

export interface LegendOf {
  groups: readonly Group[];
  /** The key of the group that stands out; '' is none. */
  only: string;
  /** Groups are topics: they have numbers. */
  numbered: boolean;
  nameOf(group: Group): string;
  sizeOf(group: Group): number;
  /** What else there is to say. */
  notes: readonly string[];
}

/** Makes a legend anew; `press` gets the key of the group that was pressed, '' to see all alike. What had the focus and what was unfolded stay so. */
export function fillLegend(legend: HTMLElement, { groups, only, numbered, nameOf, sizeOf, notes }: LegendOf, press: (key: string) => void): void {
  const entry = (g: Group): HTMLElement => h('li', {}, h('button', {
    type: 'button', class: `key c${g.hue} s${g.shade}`, '--shade': g.part === undefined ? undefined : `color-mix(in srgb, var(--c0) ${Math.round(g.part * 100)}%, var(--far))`, 'aria-pressed': String(only === g.key), title: g.detail || undefined,
    onclick: () => press(only === g.key ? '' : g.key),
    'data-key': g.key,
  }, h('span', { class: 'dot' }), numbered && h('span', { class: 'number' }, g.key), h('span', { class: 'name' }, nameOf(g)), h('span', { class: 'muted' }, count(sizeOf(g)))));
  const focused = legend.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset['key'] : undefined;
  const unfolded = legend.querySelector('details')?.open || false;
  const listed = (g: Group): boolean => g.size > 0 || g.key === only;
  const coloured = groups.slice(0, hues).filter(listed);
  const rest = groups.slice(hues).filter(listed);
  const alone = groups.find(g => g.key === only);
  legend.replaceChildren(
    alone ? h('p', { class: 'small' }, h('strong', {}, nameOf(alone)), ' stands out. ', h('button', { type: 'button', class: 'quiet', 'data-key': '', onclick: () => press('') }, 'See all alike'))
      : h('p', { class: 'muted small' }, 'Press one to make it stand out.'),
    h('ul', {}, ...coloured.map(entry)));
  if (rest.length > 0) {
    legend.append(h('details', { open: unfolded || rest.some(g => g.key === only) }, h('summary', {}, `${count(rest.length)} more`), h('ul', {}, ...rest.map(entry))));
  }
  legend.append(...notes.map(note => h('p', { class: 'muted small' }, note)));
  if (focused !== undefined) ([...legend.querySelectorAll<HTMLButtonElement>('button')].find(b => b.dataset['key'] === focused) ?? legend.querySelector('button'))?.focus();
}
