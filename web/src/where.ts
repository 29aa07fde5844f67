// Where a text lies among the documents: a small map beside it.
import { format, type Point } from './address';
import { documentAt, get, post, type Placed, type Places, type Suggestions } from './api';
import { h } from './dom';
import { split } from './entries';
import type { Model } from './model';
import { readColours } from './palette';
import { around, fitted, type Fitted } from './places';
import { Scatter } from './scatter';

export const rowsOf = (placed: Placed): number[] => placed.targets.filter(row => row !== null);

/** The place of a text, and the rows of what it could be linked to. */
export async function placeOf(text: string, at: Fitted['at']): Promise<{ at: Point | null; rows: number[] }> {
  try {
    const { links } = await post<Suggestions>('suggest', { text, k: 10 });
    const placed = await post<Placed>('place', { text, targets: links.map(l => l.id) });
    return { at: placed.x === null ? null : at(placed.x, placed.y!), rows: rowsOf(placed) };
  } catch {
    return { at: null, rows: [] };
  }
}

/** The map with a text in its address, or with the one that is being written in this tab. */
const textOnMap = (text: string): string => {
  const [inAddress, beside] = split('text', text);
  return format('map', '', beside['text'] ? { draft: '1' } : inAddress);
};

/** A map that shows a text as a marker, with lines to documents. A click on a document opens it. */
export class WhereMap {
  readonly node: HTMLElement;
  private readonly canvas = h('canvas', { class: 'points', 'aria-hidden': 'true' });
  private readonly overlay = h('canvas', { class: 'over', 'aria-hidden': 'true' });
  private readonly stage = h('div', { class: 'stage small' }, this.canvas, this.overlay);
  private readonly link = h('a', { href: '#/map' }, 'Open on the map');
  private readonly said = h('p', { class: 'muted small' });
  private scatter: Scatter | undefined;
  private spots: Fitted | undefined;
  private making: Promise<void> | undefined;
  private readonly recolour = (): void => this.paint();
  private places: Places | undefined;

  constructor(private readonly model: Model) {
    this.node = h('section', { class: 'where', 'aria-labelledby': 'where-title', hidden: true },
      h('div', { class: 'label' }, h('h2', { id: 'where-title' }, 'Where it lies'), this.link), this.stage, this.said);
    document.addEventListener('themechange', this.recolour);
  }

  /** Moves the marker; a text that has no place has no map. */
  async show(text: string, placed: Placed): Promise<void> {
    this.node.hidden = placed.x === null;
    if (placed.x === null) return;
    this.making ??= this.make();
    await this.making.catch(() => (this.making = undefined));
    const { scatter, spots } = this;
    if (!scatter || !spots) return;
    const from = spots.at(placed.x, placed.y!);
    const rows = rowsOf(placed);
    this.link.href = textOnMap(text);
    this.said.textContent = `The diamond is your text; lines lead to ${rows.length} documents that it could be linked to. Click on one to open it.`;
    scatter.lookAt(around([from, ...rows.map((row): Point => [spots.xs[row]!, spots.ys[row]!])]));
    scatter.connect(from, rows);
  }

  stop(): void {
    document.removeEventListener('themechange', this.recolour);
    this.scatter?.stop();
  }

  private async make(): Promise<void> {
    this.places = await get<Places>('map');
    this.spots = fitted(this.places);
    const { xs, ys } = this.spots;
    this.scatter = new Scatter(this.canvas, this.overlay, xs, ys, {
      moved: () => {}, lassoed: () => {},
      hovered: row => void this.canvas.classList.toggle('over-point', row >= 0),
      picked: row => void this.open(row),
    }, true);
    this.paint();
  }

  private async open(row: number): Promise<void> {
    try {
      const found = row < 0 ? undefined : await documentAt(row);
      if (found) location.hash = format('document', found.id);
    } catch (error) {
      this.said.textContent = (error as Error).message;
    }
  }

  private paint(): void {
    const { places, scatter, model } = this;
    if (!places || !scatter) return;
    const palette = readColours(this.stage);
    const colours = new Uint8Array(places.documents * 4);
    const looks = new Map(model.topics.map(t => [t.topic, model.look(t.topic)]));
    places.topic.forEach((topic, row) => {
      const look = looks.get(topic);
      colours.set(look ? palette.of(look.hue, look.under) : palette.other, row * 4);
      colours[row * 4 + 3] = 130;
    });
    scatter.paint({ colours, layers: new Uint8Array(places.documents) });
  }
}
