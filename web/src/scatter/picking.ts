// Which points lie at a place, in the view or in an outline.
import type { Point } from '../address';
import { clamp } from '../dom';
import type { Viewport } from './viewport';

const cells = 128;
const cell = (v: number): number => clamp(Math.floor(v * cells), 0, cells - 1);

export class Picker {
  /** Rows by cell of a grid, so that the pointer looks at few of them. */
  private readonly cellRows: Uint32Array;
  private readonly cellStart = new Uint32Array(cells * cells + 1);

  constructor(private readonly viewport: Viewport, private readonly xs: Float32Array, private readonly ys: Float32Array, private readonly visible: (row: number) => boolean) {
    this.cellRows = new Uint32Array(xs.length);
    const cellOf = (row: number): number => cell(ys[row]!) * cells + cell(xs[row]!);
    for (let row = 0; row < xs.length; row++) this.cellStart[cellOf(row) + 1]!++;
    for (let i = 0; i < cells * cells; i++) this.cellStart[i + 1]! += this.cellStart[i]!;
    const next = this.cellStart.slice();
    for (let row = 0; row < xs.length; row++) this.cellRows[next[cellOf(row)]!++] = row;
  }

  /** The visible row nearest to a place on the screen, within `reach` pixels; -1 if there is none. */
  nearest(at: Point, reach: number): number {
    const [sx, sy] = this.viewport.scales();
    const [x, y] = this.viewport.toMap(at);
    const distance = this.distanceFrom(x, y);
    let best = -1;
    let least = reach * reach;
    for (let cy = cell(y - reach / sy); cy <= cell(y + reach / sy); cy++) {
      for (let cx = cell(x - reach / sx); cx <= cell(x + reach / sx); cx++) {
        for (let i = this.cellStart[cy * cells + cx]!; i < this.cellStart[cy * cells + cx + 1]!; i++) {
          const row = this.cellRows[i]!;
          const far = distance(row);
          if (far < least && this.visible(row)) {
            least = far;
            best = row;
          }
        }
      }
    }
    return best;
  }

  /** Visible rows in the outline, or in the view if it is empty, nearest to the middle first. */
  rows(outline: readonly Point[]): number[] {
    const [left, top] = this.viewport.toMap([0, 0]);
    const [right, bottom] = this.viewport.toMap([this.viewport.width, this.viewport.height]);
    const found: number[] = [];
    for (let row = 0; row < this.xs.length; row++) {
      if (!this.visible(row)) continue;
      const x = this.xs[row]!;
      const y = this.ys[row]!;
      if (outline.length > 0 ? inside(x, y, outline) : x >= left && x <= right && y >= top && y <= bottom) found.push(row);
    }
    const distance = this.distanceFrom(this.viewport.camera.x, this.viewport.camera.y);
    const far = new Float32Array(this.xs.length);
    for (const row of found) far[row] = distance(row);
    return found.sort((a, b) => far[a]! - far[b]!);
  }

  /** Of a row from a place of the map: the square of the distance in pixels. */
  private distanceFrom(x: number, y: number): (row: number) => number {
    const [sx, sy] = this.viewport.scales();
    return row => ((this.xs[row]! - x) * sx) ** 2 + ((this.ys[row]! - y) * sy) ** 2;
  }
}

function inside(x: number, y: number, outline: readonly Point[]): boolean {
  let odd = false;
  for (let i = 0, j = outline.length - 1; i < outline.length; j = i++) {
    const [ax, ay] = outline[i]!;
    const [bx, by] = outline[j]!;
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd;
  }
  return odd;
}
