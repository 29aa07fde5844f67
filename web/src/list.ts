// The documents that the map is about just now, as a list below it.
import { format } from './address';
import { called, documentAt, passes, saying, type Row } from './api';
import { h } from './dom';
import type { Model } from './model';

/** What is listed. `words` are those that were found in a document, by its row. */
export interface Listed { title: string; note: string | Node; rows: readonly number[]; words?: ReadonlyMap<number, string[]> }
/** Why there is nothing to list, and what to try again. */
export interface Missed { title: string; why: unknown; next(): void }

const step = 10;
/** Milliseconds until a server that did not answer is asked again. */
const again = 3000;

export class DocumentList {
  readonly node: HTMLElement;
  private readonly title = h('h2', { id: 'list-title' });
  private readonly body = h('tbody');
  private readonly more = h('button', { type: 'button', class: 'quiet' }, 'Show more');
  private readonly note = h('p', { class: 'muted', role: 'status' });
  private count = step;
  private turn = 0;
  private retry = 0;

  constructor(private readonly model: Model, private readonly what: () => Listed | Missed) {
    this.node = h('section', { class: 'in-view', 'aria-labelledby': 'list-title' }, this.title, this.note,
      h('table', { 'aria-labelledby': 'list-title' }, h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Document'), h('th', { scope: 'col' }, 'Labels'), h('th', { scope: 'col' }, 'Main topic'))), this.body),
      this.more);
    this.more.addEventListener('click', async () => {
      const next = this.count;
      this.count += step;
      await this.show();
      this.body.rows[next]?.querySelector('a')?.focus();
    });
  }

  /** Of another kind from now on: the first few of it. */
  restart(): void {
    this.count = step;
  }

  async show(): Promise<void> {
    const mine = ++this.turn;
    clearTimeout(this.retry);
    const what = this.what();
    this.title.textContent = what.title;
    if ('why' in what) {
      this.missed(what.why, what.next);
      return;
    }
    this.note.replaceChildren(what.note);
    let shown: (Row | undefined)[];
    try {
      shown = await Promise.all(what.rows.slice(0, this.count).map(documentAt));
    } catch (error) {
      if (mine === this.turn) this.missed(error, () => void this.show());
      return;
    }
    if (mine !== this.turn) return;
    this.body.replaceChildren(...shown.flatMap(d => (d ? [this.line(d, what.words?.get(d.row))] : [])));
    this.more.hidden = what.rows.length <= this.count;
  }

  stop(): void {
    this.turn++;
    clearTimeout(this.retry);
  }

  private missed(why: unknown, next: () => void): void {
    this.body.replaceChildren();
    this.more.hidden = true;
    this.note.textContent = saying(why);
    if (passes(why)) this.retry = window.setTimeout(next, again);
  }

  private line(d: Row, words?: string[]): HTMLElement {
    return h('tr', {},
      h('td', {}, h('a', { href: format('document', d.id) }, called(d)), words && h('span', { class: 'matched muted' }, words.length > 0 ? words.join(', ') : 'by meaning')),
      h('td', {}, d.labels.slice(0, 2).join(', ')),
      h('td', {}, d.topic !== null && this.model.chip(d.topic)));
  }
}
