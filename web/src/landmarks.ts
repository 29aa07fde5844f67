// Names that appear as one comes nearer: first of areas, then of a few documents in view, spread over it, those with most links first.
import { called, documentAt, type Places } from './api';
import { clamp } from './dom';
import type { Fitted } from './places';
import type { Name } from './scatter/overlay';

/** One document per cell of the view, at most `count`. `rows` are those in view. */
export function landmarkRows(rows: readonly number[], { xs, ys }: Fitted, links: readonly number[], count: number): number[] {
  if (rows.length === 0) return [];
  const range = (values: Float32Array): [number, number] => {
    let [least, most] = [Infinity, -Infinity];
    for (const row of rows) {
      least = Math.min(least, values[row]!);
      most = Math.max(most, values[row]!);
    }
    return [least, Math.max(most - least, 1e-9)];
  };
  const [[left, wide], [top, high]] = [range(xs), range(ys)];
  const side = 6;
  const cell = (v: number, from: number, size: number): number => clamp(Math.floor(((v - from) / size) * side), 0, side - 1);
  const best = new Map<number, number>();
  for (const row of rows) {
    const key = cell(ys[row]!, top, high) * side + cell(xs[row]!, left, wide);
    const known = best.get(key);
    if (known === undefined || (links[row] ?? 0) > (links[known] ?? 0)) best.set(key, row);
  }
  return [...best.values()].sort((a, b) => (links[b] ?? 0) - (links[a] ?? 0)).slice(0, count);
}

/** From where on areas of topics have names, and from where on documents have. */
const areasFrom = 1.6;
const titlesFrom = 3;

/** Those of one topic, or of all, the largest first; none on the whole map, and the nearer one comes, the smaller ones too. */
export function areaNames(places: Places, { at }: Fitted, zoom: number, topic?: number): Name[] {
  if (zoom < areasFrom) return [];
  const least = places.documents / (40 * zoom * zoom);
  return places.areas.flatMap(a => (a.documents >= least && (topic === undefined || a.topic === topic) ? [{ text: a.name, at: at(a.x, a.y), strong: false, area: true }] : []));
}

export const showsTitles = (places: Places, zoom: number): boolean => zoom >= (places.areas.length > 0 ? titlesFrom : areasFrom);

/** Of documents: more of them the nearer one comes. */
export async function landmarks(rows: readonly number[], fitted: Fitted, places: Places, zoom: number): Promise<Name[]> {
  const chosen = landmarkRows(rows, fitted, places.links, zoom < 6 ? 8 : 24);
  const found = await Promise.all(chosen.map(row => documentAt(row).catch(() => undefined)));
  return found.flatMap(d => (d ? [{ text: called(d), at: [fitted.xs[d.row]!, fitted.ys[d.row]!] as const, strong: false, above: true }] : []));
}
