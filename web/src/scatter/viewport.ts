// Which part of the map is seen, and where a place of it lies on the screen.
import type { Point } from '../address';
import { clamp } from '../dom';

/** Middle of the view in map units (0 … 1 both ways), and how much larger than the whole it is. */
export interface Camera { x: number; y: number; zoom: number }

export const wholeMap: Camera = { x: 0.5, y: 0.5, zoom: 1 };
export const within = (zoom: number): number => clamp(zoom, 0.7, 400);

/** The canvas as a window on the map. Pixels are those of the style sheet, from the canvas's corner. */
export class Viewport {
  camera = wholeMap;

  constructor(private readonly canvas: HTMLCanvasElement) {}

  get width(): number {
    return this.canvas.clientWidth;
  }

  get height(): number {
    return this.canvas.clientHeight;
  }

  get middle(): Point {
    return [this.width / 2, this.height / 2];
  }

  /** Drawn pixels per pixel. */
  get ratio(): number {
    return this.canvas.width / Math.max(1, this.width);
  }

  /** Pixels per map unit. The axes have no meaning of their own, so a wide view may stretch them a little. */
  scales(): Point {
    const stretch = clamp(this.width / Math.max(1, this.height), 0.75, 1.6);
    const side = Math.min(this.width / stretch, this.height) * 0.92 * this.camera.zoom;
    return [side * stretch, side];
  }

  toScreen([x, y]: Point): Point {
    const [sx, sy] = this.scales();
    return [this.width / 2 + (x - this.camera.x) * sx, this.height / 2 + (y - this.camera.y) * sy];
  }

  toMap([x, y]: Point): Point {
    const [sx, sy] = this.scales();
    return [this.camera.x + (x - this.width / 2) / sx, this.camera.y + (y - this.height / 2) / sy];
  }

  /** The camera after a zoom that leaves the place `about` where it is. */
  zoomed(factor: number, about: Point): Camera {
    const [mx, my] = this.toMap(about);
    const zoom = within(this.camera.zoom * factor);
    const shrink = this.camera.zoom / zoom;
    return { x: mx + (this.camera.x - mx) * shrink, y: my + (this.camera.y - my) * shrink, zoom };
  }

  panned(dx: number, dy: number): Camera {
    const [sx, sy] = this.scales();
    return { ...this.camera, x: this.camera.x - dx / sx, y: this.camera.y - dy / sy };
  }
}
