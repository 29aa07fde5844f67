// Where documents lie on the map, as numbers.
import type { Point } from './address';
import type { Places } from './api';
import { clamp } from './dom';
import type { Camera } from './scatter/viewport';

/** The places of all documents as 0 … 1, the longer side filling it, and how another place is turned into that. */
export interface Fitted { xs: Float32Array; ys: Float32Array; at(x: number, y: number): Point }

export function fitted({ x, y }: Places): Fitted {
  const range = (values: number[]): [number, number] => {
    let [least, most] = [Infinity, -Infinity];
    for (const v of values) {
      least = Math.min(least, v);
      most = Math.max(most, v);
    }
    return [(least + most) / 2, most - least];
  };
  const [[middleX, wide], [middleY, high]] = [range(x), range(y)];
  const side = Math.max(wide, high, 1);
  const at = (px: number, py: number): Point => [0.5 + (px - middleX) / side, 0.5 + (py - middleY) / side];
  return { xs: Float32Array.from(x, v => 0.5 + (v - middleX) / side), ys: Float32Array.from(y, v => 0.5 + (v - middleY) / side), at };
}

/** A look at these places that has all of them in it. */
export function around(places: readonly Point[]): Camera {
  const side = (axis: 0 | 1): [number, number] => [Math.min(...places.map(p => p[axis])), Math.max(...places.map(p => p[axis]))];
  const [[left, right], [top, bottom]] = [side(0), side(1)];
  return { x: (left + right) / 2, y: (top + bottom) / 2, zoom: clamp(0.75 / Math.max(right - left, bottom - top, 0.01), 1, 12) };
}

/** Where a group lies thickest, on a coarse grid: the place for its name. */
export function thickest(xs: Float32Array, ys: Float32Array, group: Int32Array, which: number): Point {
  const side = 40;
  const counts = new Float32Array(side * side);
  const cell = (v: number): number => clamp(Math.floor(v * side), 0, side - 1);
  for (let i = 0; i < xs.length; i++) if (group[i] === which) counts[cell(ys[i]!) * side + cell(xs[i]!)]!++;
  let best = 0;
  let most = -1;
  for (let y = 1; y < side - 1; y++) {
    for (let x = 1; x < side - 1; x++) {
      let sum = 0;
      for (let d = 0; d < 9; d++) sum += counts[(y + Math.floor(d / 3) - 1) * side + x + (d % 3) - 1]!;
      if (sum > most) {
        most = sum;
        best = y * side + x;
      }
    }
  }
  return [((best % side) + 0.5) / side, (Math.floor(best / side) + 0.5) / side];
}
