// What the reader's hands do on the canvas: drag, pinch, wheel, keys, a click, an outline.
import type { Point } from '../address';
import { clamp } from '../dom';

/** What can be done with a scatter by hand. Places are pixels from the canvas's corner; without one, the middle. */
export interface Target {
  panBy(dx: number, dy: number): void;
  zoomBy(factor: number, about?: Point): void;
  showAll(): void;
  /** The pointer rests at a place, or has left. */
  hover(at: Point | null): void;
  /** The point nearest to a place, within `reach` pixels, is meant. */
  pick(reach: number, at?: Point): void;
  lasso(path: readonly Point[]): void;
  redraw(): void;
}

/** Pixels that a hand may tremble in a click. */
const tremble = 4;

export class Gestures {
  /** Whether dragging draws an outline, as it always does with shift. */
  lassoMode = false;
  /** The outline that is being drawn. */
  path: Point[] | null = null;
  private readonly pointers = new Map<number, Point>();
  private travelled = 0;

  /** With `still` the map is only pointed at: the page scrolls under the hand as elsewhere. */
  constructor(private readonly canvas: HTMLCanvasElement, private readonly target: Target, still = false) {
    canvas.addEventListener('pointerleave', () => target.hover(null));
    if (still) {
      canvas.addEventListener('pointermove', e => target.hover(this.place(e)));
      canvas.addEventListener('click', e => target.pick(16, this.place(e)));
      return;
    }
    canvas.addEventListener('pointerdown', e => this.down(e));
    canvas.addEventListener('pointermove', e => this.move(e));
    canvas.addEventListener('pointerup', e => this.up(e));
    canvas.addEventListener('pointercancel', e => this.up(e));
    canvas.addEventListener('wheel', e => {
      e.preventDefault();
      target.zoomBy(Math.exp(-clamp(e.deltaY, -80, 80) * 0.004), this.place(e));
    }, { passive: false });
    canvas.addEventListener('keydown', e => this.key(e));
  }

  private place(e: MouseEvent): Point {
    const box = this.canvas.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  }

  private down(e: PointerEvent): void {
    this.canvas.setPointerCapture(e.pointerId);
    this.pointers.set(e.pointerId, this.place(e));
    this.travelled = this.pointers.size > 1 ? Infinity : 0;
    this.path = this.pointers.size === 1 && (e.shiftKey || this.lassoMode) ? [this.place(e)] : null;
  }

  private move(e: PointerEvent): void {
    const now = this.place(e);
    const before = this.pointers.get(e.pointerId);
    if (!before) {
      this.target.hover(now);
      return;
    }
    this.pointers.set(e.pointerId, now);
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    this.travelled += Math.abs(dx) + Math.abs(dy);
    if (this.path) {
      this.path.push(now);
      this.target.redraw();
    } else if (this.pointers.size > 1) {
      this.target.panBy(dx / 2, dy / 2);
      this.pinch(e.pointerId, before, now);
    } else if (this.travelled > tremble) {
      this.target.hover(null);
      this.target.panBy(dx, dy);
    }
  }

  private pinch(pointer: number, before: Point, now: Point): void {
    const other = [...this.pointers].find(([id]) => id !== pointer)![1];
    const gap = (p: Point): number => Math.hypot(p[0] - other[0], p[1] - other[1]);
    this.target.zoomBy(gap(now) / Math.max(1, gap(before)), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
  }

  private up(e: PointerEvent): void {
    const path = this.path;
    this.path = null;
    if (!this.pointers.delete(e.pointerId)) return;
    if (path && path.length > 5) this.target.lasso(path);
    else if (this.travelled <= tremble && e.type === 'pointerup') this.target.pick(e.pointerType === 'touch' ? 24 : 12, this.place(e));
    this.target.redraw();
  }

  private key(e: KeyboardEvent): void {
    const target = this.target;
    const step = e.shiftKey ? 200 : 60;
    const moves: Record<string, () => void> = {
      ArrowLeft: () => target.panBy(step, 0), ArrowRight: () => target.panBy(-step, 0),
      ArrowUp: () => target.panBy(0, step), ArrowDown: () => target.panBy(0, -step),
      '+': () => target.zoomBy(1.4), '=': () => target.zoomBy(1.4), '-': () => target.zoomBy(1 / 1.4),
      '0': () => target.showAll(),
      Enter: () => target.pick(300),
    };
    const move = e.ctrlKey || e.metaKey || e.altKey ? undefined : moves[e.key];
    if (!move) return;
    e.preventDefault();
    move();
  }
}
