// What is chosen on the map: a document, or the text that the reader came with. A card tells of it, and lines lead from it.
import { format, type Point } from './address';
import { called, documentAt, passes, post, read, saying, type Placed, type Row } from './api';
import { h } from './dom';
import { draftKey, remember, split } from './entries';
import type { Model } from './model';
import type { Fitted } from './places';
import type { Scatter } from './scatter';
import { labelLink } from './views/document';
import { rowsOf } from './where';

/** The reader's text, its place, and what it could be linked to. */
export interface OwnText { text: string; /** The address means one that this tab does not have. */ lost: boolean; at: Point | null; rows: number[] }
export interface ChoiceListener { changed(): void; closed(): void }

/** Milliseconds until a server that did not answer is asked again. */
const again = 3000;

export class Choice {
  readonly card = h('div', { class: 'chosen', role: 'status' });
  document: Row | undefined;
  /** Why what was chosen is not known. */
  private unknown = '';
  /** What the server tells of a choice that another has followed is passed over. */
  private turn = 0;
  private textClosed = false;

  constructor(private readonly model: Model, private readonly scatter: Scatter, private readonly spots: Fitted, readonly own: OwnText, private readonly listener: ChoiceListener) {}

  /** Of a document or the text: where it lies. */
  get place(): Point | null {
    return this.document ? this.placeOf(this.document) : this.own.at;
  }

  /** By its row; -1 is none. */
  async choose(row: number): Promise<void> {
    const mine = ++this.turn;
    try {
      const found = row < 0 ? undefined : await documentAt(row);
      if (mine !== this.turn) return;
      this.document = found;
      this.unknown = '';
    } catch (error) {
      if (mine !== this.turn) return;
      this.document = undefined;
      this.unknown = saying(error);
      if (passes(error)) window.setTimeout(() => mine === this.turn && void this.choose(row), again);
    }
    this.show();
  }

  /** By its id, before anything is shown. One that is not there is told of; throws if the server does not answer. */
  async begin(id: string): Promise<void> {
    try {
      this.document = await read(id);
    } catch (error) {
      if (passes(error)) throw error;
      this.unknown = `There is no document “${id}” here.`;
    }
  }

  stop(): void {
    this.turn++;
  }

  show(): void {
    void this.connect();
    this.card.replaceChildren(...this.tell());
    this.listener.changed();
    if (this.place && this.card.childElementCount > 0) this.scatter.uncover(this.place);
  }

  private placeOf({ row }: Row): Point {
    return [this.spots.xs[row]!, this.spots.ys[row]!];
  }

  private tell(): HTMLElement[] {
    const { document, own, model } = this;
    const card = (close: () => void, ...about: Node[]): HTMLElement[] => [h('div', { class: 'inner' }, ...about,
      h('button', { type: 'button', class: 'quiet close', 'aria-label': 'Close', onclick: () => {
        close();
        this.listener.closed();
      } }, '×'))];
    const closeText = (): void => {
      this.textClosed = true;
      this.show();
    };
    if (this.unknown) return card(() => void this.choose(-1), h('p', {}, this.unknown));
    if (document) {
      return card(() => void this.choose(-1),
        h('a', { class: 'title', href: format('document', document.id) }, called(document)),
        h('p', { class: 'chips' }, ...document.labels.slice(0, 3).map(labelLink), document.topic !== null && model.chip(document.topic)),
        h('p', { class: 'reading-on' }, h('a', { href: format('document', document.id) }, 'Read it and see why its neighbours are near')));
    }
    if (this.textClosed) return [];
    if (own.lost) return card(closeText, h('p', {}, 'Your text is too long for an address, and was not written in this tab.'));
    if (!own.text) return [];
    const [inAddress, beside] = split('text', own.text);
    return card(closeText, h('p', {}, h('strong', {}, 'Your text'), own.at ? ', with lines to the documents that it could be linked to.' : ' has no place: the model knows none of its words.'),
      h('p', { class: 'quote muted' }, own.text),
      h('p', {}, h('a', { href: format('write', '', inAddress), onclick: () => beside['text'] && remember(draftKey, own.text) }, 'Write on')));
  }

  /** Draws the links of the document; without one, the suggestions for the text. */
  private async connect(): Promise<void> {
    const { document, scatter, own } = this;
    if (!document) {
      scatter.connect(own.at, own.rows);
      return;
    }
    scatter.connect(null, []);
    const doc = await read(document.id).catch(() => undefined);
    const placed = doc && await post<Placed>('place', { document: document.id, targets: doc.links.map(l => l.id) }).catch(() => undefined);
    if (placed && this.document === document) scatter.connect(this.placeOf(document), rowsOf(placed), false);
  }
}
