// The points of the map, and when they are drawn. What the parts of it do is in scatter/.
import type { Point } from './address';
import { clamp, later } from './dom';
import { Gestures, type Target } from './scatter/gestures';
import { Overlay, type Box, type Name } from './scatter/overlay';
import { Picker } from './scatter/picking';
import { Points, type Look } from './scatter/points';
import { Viewport, wholeMap, within, type Camera } from './scatter/viewport';

export interface Listener {
  moved(): void;
  hovered(row: number, x: number, y: number): void;
  picked(row: number): void;
  lassoed(outline: Point[]): void;
}

/** The alpha of points that are set aside: they are seen, but neither listed nor found by the pointer. */
export const dimmed = 26;

/** A pannable, zoomable scatter of many points. */
export class Scatter implements Target {
  private readonly viewport: Viewport;
  private readonly points: Points;
  private readonly overlay: Overlay;
  private readonly picker: Picker;
  private readonly gestures: Gestures;
  private readonly watcher: ResizeObserver;
  private look: Look;
  private frame = 0;
  private part = 1;
  /** Between frames of late, in milliseconds. */
  private gap = 16;
  private sharpness = 1;
  private movedAt = -Infinity;
  private readonly settle = later(220, () => this.redraw());

  constructor(private readonly canvas: HTMLCanvasElement, private readonly overlayCanvas: HTMLCanvasElement, private readonly xs: Float32Array, private readonly ys: Float32Array, private readonly listener: Listener, still = false) {
    this.look = { colours: new Uint8Array(xs.length * 4), layers: new Uint8Array(xs.length) };
    this.viewport = new Viewport(canvas);
    this.points = new Points(canvas, xs, ys);
    this.overlay = new Overlay(overlayCanvas, this.viewport);
    this.picker = new Picker(this.viewport, xs, ys, row => this.look.colours[row * 4 + 3]! > dimmed);
    this.gestures = new Gestures(canvas, this, still);
    canvas.addEventListener('focus', () => this.redraw());
    canvas.addEventListener('blur', () => this.redraw());
    canvas.addEventListener('webglcontextlost', e => e.preventDefault());
    canvas.addEventListener('webglcontextrestored', () => {
      this.points.setUp();
      this.paint(this.look);
    });
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(canvas);
  }

  stop(): void {
    this.watcher.disconnect();
    cancelAnimationFrame(this.frame);
    this.settle.cancel();
    this.points.stop();
  }

  get works(): boolean {
    return this.points.works;
  }

  /** To set it draws nothing: it is for the time before the scatter is shown. */
  get camera(): Camera {
    return this.viewport.camera;
  }

  set camera(camera: Camera) {
    this.viewport.camera = { ...camera, zoom: within(camera.zoom) };
  }

  get lassoMode(): boolean {
    return this.gestures.lassoMode;
  }

  set lassoMode(on: boolean) {
    this.gestures.lassoMode = on;
  }

  paint(look: Look): void {
    this.look = look;
    this.points.fill(look);
    this.redraw();
  }

  /** A ring around one row (-1 for none) and an outline: what is chosen. */
  mark(row: number, outline: readonly Point[]): void {
    this.overlay.ring = row < 0 ? null : [this.xs[row]!, this.ys[row]!];
    this.overlay.outline = outline;
    this.redraw();
  }

  /** Lines from a place to documents, and a marker there unless it is a document's own place. Null for none. */
  connect(from: Point | null, rows: readonly number[], marker = true): void {
    this.overlay.marker = marker ? from : null;
    this.overlayCanvas.dataset['lines'] = String(from ? rows.length : 0);
    this.overlay.lines = from && { from, to: rows.map((row): Point => [this.xs[row]!, this.ys[row]!]) };
    this.redraw();
  }

  /** What lies over the map, so that no name is beneath it. */
  cover(boxes: readonly Box[]): void {
    this.overlay.covered = boxes;
    this.redraw();
  }

  /** Moves the map as little as it takes to have a place beside what lies over it. */
  uncover(place: Point): void {
    const [dx, dy] = this.overlay.wayOut(this.viewport.toScreen(place));
    if (dx !== 0 || dy !== 0) this.panBy(dx, dy);
  }

  name(names: readonly Name[]): void {
    this.overlay.names = names;
    this.redraw();
  }

  /** Visible rows in the view or in an outline, nearest to the middle first. */
  rows(outline: readonly Point[] = []): number[] {
    return this.picker.rows(outline);
  }

  zoomBy(factor: number, about = this.viewport.middle): void {
    this.lookAt(this.viewport.zoomed(factor, about));
  }

  panBy(dx: number, dy: number): void {
    this.lookAt(this.viewport.panned(dx, dy));
  }

  showAll(): void {
    this.lookAt(wholeMap);
  }

  hover(at: Point | null): void {
    if (at) this.listener.hovered(this.picker.nearest(at, 12), ...at);
    else this.listener.hovered(-1, 0, 0);
  }

  pick(reach: number, at = this.viewport.middle): void {
    this.listener.picked(this.picker.nearest(at, reach));
  }

  lasso(path: readonly Point[]): void {
    this.listener.lassoed(path.map(place => this.viewport.toMap(place)));
  }

  redraw(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(time => this.draw(time));
  }

  lookAt({ x, y, zoom }: Camera): void {
    this.camera = { x: clamp(x, -0.1, 1.1), y: clamp(y, -0.1, 1.1), zoom };
    this.movedAt = performance.now();
    this.redraw();
    this.listener.moved();
  }

  /** What takes a browser without a graphics card most time is to bring the points' canvas to the screen, pixel by pixel. */
  private sharpen(sharpness: number): void {
    if (sharpness === this.sharpness) return;
    this.sharpness = sharpness;
    this.canvas.width = Math.round(this.overlayCanvas.width * sharpness);
    this.canvas.height = Math.round(this.overlayCanvas.height * sharpness);
  }

  private resize(): void {
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    for (const [c, part] of [[this.canvas, this.sharpness], [this.overlayCanvas, 1]] as const) {
      c.width = Math.round(this.viewport.width * ratio * part);
      c.height = Math.round(this.viewport.height * ratio * part);
    }
    this.redraw();
    this.listener.moved();
  }

  /** While the map moves on a slow machine, only part of the points are drawn, then coarsely too; all and finely when it rests. */
  private draw(time: number): void {
    if (this.viewport.width === 0) return;
    const moving = time - this.movedAt < 200;
    if (moving) {
      requestAnimationFrame(next => {
        this.gap = clamp(0.8 * this.gap + 0.2 * (next - time), 0, 60);
        const change = this.gap > 18 ? 0.85 : this.gap < 17.2 ? 1.03 : 1;
        this.part = clamp(this.part * change, 0.05, 1);
      });
      this.settle();
    }
    this.sharpen(moving && this.part < 0.5 ? 0.5 : 1);
    this.points.draw(this.viewport, moving ? this.part : 1);
    this.overlay.draw(this.gestures.path, this.canvas.matches(':focus-visible'));
  }
}
