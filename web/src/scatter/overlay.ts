// What lies over the points: names of groups, an outline, a ring around what is chosen, the crosshair of the keyboard.
import type { Point } from '../address';
import type { Viewport } from './viewport';

/** A name written at a place; the earlier ones win where there is no room for all. */
export interface Name { text: string; at: Point; strong: boolean }

const lineHeight = 18;

export class Overlay {
  names: readonly Name[] = [];
  /** In map units, as the ring is. */
  outline: readonly Point[] = [];
  ring: Point | null = null;
  private readonly over: CanvasRenderingContext2D;

  constructor(private readonly canvas: HTMLCanvasElement, private readonly viewport: Viewport) {
    this.over = canvas.getContext('2d')!;
  }

  /** `path` is an outline in the making, in pixels; it is shown in place of the other. */
  draw(path: readonly Point[] | null, crosshair: boolean): void {
    const { over, viewport } = this;
    const style = getComputedStyle(this.canvas);
    over.setTransform(viewport.ratio, 0, 0, viewport.ratio, 0, 0);
    over.clearRect(0, 0, viewport.width, viewport.height);
    this.drawNames(style);
    over.strokeStyle = style.color;
    over.lineWidth = 2;
    this.drawOutline(path ?? this.outline.map(corner => viewport.toScreen(corner)), style.color);
    if (this.ring) this.drawRing(viewport.toScreen(this.ring));
    if (crosshair) this.drawCrosshair(viewport.middle);
  }

  private drawNames(style: CSSStyleDeclaration): void {
    const over = this.over;
    const taken: [number, number, number][] = [];
    over.textAlign = 'center';
    over.textBaseline = 'middle';
    over.lineJoin = 'round';
    over.lineWidth = 4;
    over.strokeStyle = getComputedStyle(this.canvas.parentElement!).backgroundColor;
    over.globalAlpha = 1;
    for (const { text, at, strong } of this.names) {
      const [x, y] = this.viewport.toScreen(at);
      if (x < 0 || y < 0 || x > this.viewport.width || y > this.viewport.height) continue;
      over.font = `${strong ? '600 14px' : '13px'} ${style.fontFamily}`;
      const half = over.measureText(text).width / 2 + 3;
      if (taken.some(([tx, ty, wide]) => Math.abs(tx - x) < half + wide && Math.abs(ty - y) < lineHeight)) continue;
      taken.push([x, y, half]);
      over.strokeText(text, x, y);
      over.fillStyle = strong ? style.color : style.outlineColor;
      over.fillText(text, x, y);
    }
  }

  private drawOutline(corners: readonly Point[], colour: string): void {
    if (corners.length < 2) return;
    const over = this.over;
    over.beginPath();
    corners.forEach(([x, y]) => over.lineTo(x, y));
    over.closePath();
    over.globalAlpha = 0.08;
    over.fillStyle = colour;
    over.fill();
    over.globalAlpha = 1;
    over.setLineDash([5, 4]);
    over.stroke();
    over.setLineDash([]);
  }

  private drawRing([x, y]: Point): void {
    this.over.beginPath();
    this.over.arc(x, y, 9, 0, 7);
    this.over.stroke();
  }

  private drawCrosshair([x, y]: Point): void {
    const over = this.over;
    over.lineWidth = 1;
    over.beginPath();
    for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]] as const) {
      over.moveTo(x + dx * 5, y + dy * 5);
      over.lineTo(x + dx * 14, y + dy * 14);
    }
    over.stroke();
  }
}
