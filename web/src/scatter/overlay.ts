// What lies over the points: names of groups, an outline, a ring around what is chosen, the crosshair of the keyboard.
import type { Point } from '../address';
import { clamp } from '../dom';
import type { Viewport } from './viewport';

/** A name written at a place, or above the point there; the earlier ones win where there is no room for all. */
export interface Name { text: string; at: Point; strong: boolean; above?: boolean; area?: boolean }

/** What lies over the map, in pixels from its corner. */
export interface Box { left: number; right: number; top: number; bottom: number }

const lineHeight = 18;
/** How far beside what covers its place a name may stand. */
const aside = 60;
/** From what covers the map, and from its edge, to what a reader is to see: a marker and some paper around it. */
const room = 16;
/** From the middle of a ring or marker to its edge. */
const markSize = 9;
/** Names of two words may differ in their order alone. */
const sorted = (name: string): string => name.split(', ').sort().join();

/** Where a name of this half width has room beside what covers the map, as near to its place as can be. */
function besideCovers(covers: readonly Box[], x: number, y: number, half: number): number {
  const free = (at: number): boolean => !covers.some(b => at + half > b.left && at - half < b.right && y + lineHeight / 2 > b.top && y - lineHeight / 2 < b.bottom);
  if (free(x)) return x;
  const places = covers.flatMap(b => [b.left - half, b.right + half]).filter(free);
  return places.reduce((best, at) => (Math.abs(at - x) < Math.abs(best - x) ? at : best), Infinity);
}

export class Overlay {
  names: readonly Name[] = [];
  /** Where no name is to be, since it would not be seen. */
  covered: readonly Box[] = [];
  /** In map units, as the ring is. */
  outline: readonly Point[] = [];
  ring: Point | null = null;
  /** A place that is no document's, and lines from a place to others. */
  marker: Point | null = null;
  lines: { from: Point; to: readonly Point[] } | null = null;
  private readonly over: CanvasRenderingContext2D;
  private readonly widths = new Map<string, number>();

  constructor(private readonly canvas: HTMLCanvasElement, private readonly viewport: Viewport) {
    this.over = canvas.getContext('2d')!;
  }

  /** `path` is an outline in the making, in pixels; it is shown in place of the other. */
  draw(path: readonly Point[] | null, crosshair: boolean): void {
    const { over, viewport } = this;
    const style = getComputedStyle(this.canvas);
    const ratio = this.canvas.width / Math.max(1, viewport.width); // the points may be drawn more coarsely
    over.setTransform(ratio, 0, 0, ratio, 0, 0);
    over.clearRect(0, 0, viewport.width, viewport.height);
    if (this.lines) this.drawLines(style.color);
    this.drawNames(style);
    over.strokeStyle = style.color;
    over.lineWidth = 2;
    this.drawOutline(path ?? this.outline.map(corner => viewport.toScreen(corner)), style.color);
    if (this.ring) this.drawRing(viewport.toScreen(this.ring));
    if (this.marker) this.drawMarker(viewport.toScreen(this.marker), style.color);
    if (crosshair) this.drawCrosshair(viewport.middle);
  }

  private drawNames(style: CSSStyleDeclaration): void {
    const over = this.over;
    const taken: [number, number, number][] = [];
    const written = new Set<string>(); // areas may be called alike, or as their topic is
    const { width, height } = this.viewport;
    const marks = [this.ring, this.marker].filter(mark => mark !== null).map(mark => this.viewport.toScreen(mark));
    const covers = [...this.covered, ...marks.map(([x, y]): Box => ({ left: x - markSize, right: x + markSize, top: y - markSize, bottom: y + markSize }))];
    over.textAlign = 'center';
    over.textBaseline = 'middle';
    over.lineJoin = 'round';
    over.lineWidth = 4;
    over.strokeStyle = getComputedStyle(this.canvas.parentElement!).backgroundColor;
    over.globalAlpha = 1;
    for (const { text, at, strong, above, area } of this.names) {
      const [placeX, placeY] = this.viewport.toScreen(at);
      if (placeX < 0 || placeY < 0 || placeX > width || placeY > height || (area && written.has(sorted(text)))) continue;
      over.font = `${strong ? '600 14px' : area ? 'italic 13px' : '13px'} ${style.fontFamily}`;
      const shown = this.cut(text, width * 0.8);
      const half = this.widthOf(shown) / 2 + 3;
      // Whole, even at the edge.
      const y = clamp(placeY - (above ? 12 : 0), lineHeight / 2, height - lineHeight / 2);
      const x = besideCovers(covers, clamp(placeX, half, width - half), y, half);
      if (Math.abs(x - placeX) > half + aside || x < half || x > width - half || taken.some(([tx, ty, wide]) => Math.abs(tx - x) < half + wide && Math.abs(ty - y) < lineHeight)) continue;
      taken.push([x, y, half]);
      written.add(sorted(text));
      over.strokeText(shown, x, y);
      over.fillStyle = strong || area ? style.color : style.outlineColor;
      over.fillText(shown, x, y);
    }
  }

  /** How far a place on the screen is to move, one way, to lie beside what covers the map; not at all if it does. */
  wayOut([x, y]: Point): Point {
    const { width, height } = this.viewport;
    const covers = (b: Box, [atX, atY]: Point): boolean => atX > b.left - room && atX < b.right + room && atY > b.top - room && atY < b.bottom + room;
    const free = (at: Point): boolean => at[0] > room && at[0] < width - room && at[1] > room && at[1] < height - room && !this.covered.some(b => covers(b, at));
    const over = this.covered.filter(b => covers(b, [x, y]));
    const ways = over.flatMap((b): Point[] => [[b.left - room - x, 0], [b.right + room - x, 0], [0, b.top - room - y], [0, b.bottom + room - y]])
      .filter(([dx, dy]) => free([x + dx, y + dy])).sort(([ax, ay], [bx, by]) => Math.abs(ax + ay) - Math.abs(bx + by));
    return ways[0] ?? [0, 0];
  }

  /** Measured once for each font: a map that moves writes the same names again and again. */
  private widthOf(text: string): number {
    const key = `${this.over.font} ${text}`;
    let width = this.widths.get(key);
    if (width === undefined) this.widths.set(key, (width = this.over.measureText(text).width));
    return width;
  }

  /** By whole letters, so that none is broken in two. */
  private cut(text: string, most: number): string {
    if (text.length <= 32 && this.widthOf(text) <= most) return text;
    const letters = [...text.slice(0, 64)].slice(0, 30);
    while (letters.length > 3 && this.widthOf(`${letters.join('')}…`) > most) letters.splice(-3);
    return `${letters.join('')}…`;
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

  private drawLines(colour: string): void {
    const { over, viewport } = this;
    const [fromX, fromY] = viewport.toScreen(this.lines!.from);
    over.strokeStyle = colour;
    over.globalAlpha = 0.55;
    over.lineWidth = 1.25;
    over.beginPath();
    for (const place of this.lines!.to) {
      over.moveTo(fromX, fromY);
      over.lineTo(...viewport.toScreen(place));
    }
    over.stroke();
    over.globalAlpha = 1;
    over.fillStyle = colour;
    for (const place of this.lines!.to) {
      over.beginPath();
      over.arc(...viewport.toScreen(place), 3.5, 0, 7);
      over.fill();
    }
  }

  /** A diamond: no point looks like it. */
  private drawMarker([x, y]: Point, colour: string): void {
    const over = this.over;
    over.beginPath();
    for (const [dx, dy] of [[0, -markSize], [markSize, 0], [0, markSize], [-markSize, 0]] as const) over.lineTo(x + dx, y + dy);
    over.closePath();
    over.fillStyle = colour;
    over.fill();
    over.lineWidth = 2;
    over.strokeStyle = getComputedStyle(this.canvas.parentElement!).backgroundColor;
    over.stroke();
  }

  private drawRing([x, y]: Point): void {
    this.over.beginPath();
    this.over.arc(x, y, markSize, 0, 7);
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
