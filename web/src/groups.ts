// What documents on the map are coloured by.
import { get, type Places, type Rows } from './api';
import { count } from './dom';
import { hues, type Model } from './model';
import type { Colour, Palette } from './palette';

export interface Group {
  key: string; title: string; detail: string; size: number; hue: number; shade: number;
  /** Of a measure, from little (0) to much (1), in place of hue and shade. */
  part?: number;
}

export const colourOf = (g: Group, palette: Palette): Colour => (g.part === undefined ? palette.of(g.hue, g.shade) : palette.ramp(g.part));

export function topicGroups(places: Places, model: Model, groupOf: Int32Array): Group[] {
  const sizes = new Map<number, number>();
  for (const t of places.topic) sizes.set(t, (sizes.get(t) ?? 0) + 1);
  const ordered = [...model.topics].sort((a, b) => model.rank(a.topic) - model.rank(b.topic));
  const index = new Map(ordered.map((t, i) => [t.topic, i]));
  places.topic.forEach((t, row) => (groupOf[row] = index.get(t) ?? -1));
  return ordered.map(t => ({
    key: String(t.topic), title: model.name(t.topic, 2), detail: model.words(t.topic, 5), size: sizes.get(t.topic) ?? 0,
    hue: model.look(t.topic).hue, shade: model.look(t.topic).under,
  }));
}

export function labelGroups(places: Places, groupOf: Int32Array): Group[] {
  const sizes = places.labels.map(() => 0);
  for (const l of places.label) if (l >= 0) sizes[l]!++;
  const order = places.labels.map((_, i) => i).sort((a, b) => sizes[b]! - sizes[a]!);
  const index = new Map(order.map((l, i) => [l, i]));
  places.label.forEach((l, row) => (groupOf[row] = index.get(l) ?? -1));
  return order.map((l, i) => ({ key: places.labels[l]!, title: places.labels[l]!, detail: '', size: sizes[l]!, hue: i % hues, shade: Math.floor(i / hues) % 4 }));
}

/** 1 for every document that has this label, whether first or not. */
export async function withLabel(label: string, documents: number): Promise<Int32Array> {
  const has = new Int32Array(documents);
  for (const row of (await get<Rows>(`rows?label=${encodeURIComponent(label)}`)).rows) has[row] = 1;
  return has;
}

/** Of year · 10000 + month · 100 + day; -1 if it is not known. */
export const yearOf = (date: number): number => (date > 0 ? Math.floor(date / 10000) : -1);

/** Steps of a measure with about as many documents each; -1 is unknown. `groupOf` gets the step of each row. */
export function steps(values: readonly number[], links: boolean, groupOf: Int32Array): Group[] {
  const most = 6;
  const known = values.filter(v => v >= 0).sort((a, b) => a - b);
  const starts = [...new Set(Array.from({ length: most }, (_, n) => known[Math.floor((n * known.length) / most)]!))];
  const sizes = starts.map(() => 0);
  values.forEach((value, row) => {
    const step = starts.filter(s => value >= s).length - 1;
    groupOf[row] = step;
    if (step >= 0) sizes[step]!++;
  });
  const say = (n: number): string => (links ? count(n) : String(n));
  return starts.map((start, n) => {
    const end = n + 1 < starts.length ? starts[n + 1]! - 1 : known.at(-1)!;
    const range = end > start ? `${say(start)} – ${say(end)}` : say(start);
    return { key: String(start), title: links ? `${range} ${range === '1' ? 'link' : 'links'}` : range, detail: '', size: sizes[n]!, hue: 0, shade: 0, part: starts.length > 1 ? n / (starts.length - 1) : 1 };
  });
}
