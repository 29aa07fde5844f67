// The text that is being written: one element that is edited and marked, so that marks cannot drift from their words. The marks are ranges of
// its text (CSS Custom Highlight API); a browser that has no such thing shows the text without them.
import { h } from './dom';
import { hues } from './model';

/** Marks of one kind: the name of their look in the style sheet, and their places in the text. */
export interface Marks { look: string; places: readonly (readonly [number, number])[] }

/** The look of a word of a topic: one of twelve hues, an underline that tells the topics of a hue apart, and whether it is strong. */
export const lookOf = (hue: number, under: number, strong: boolean): string => `topic-${hue}-${under}-${strong ? 'strong' : 'soft'}`;

/** Rules for the looks of all topics; in a style sheet of its own, because there are many and they are alike. */
function topicLooks(): CSSStyleSheet {
  const rules: string[] = [];
  for (let hue = 0; hue < hues; hue++) {
    ['solid', 'dashed', 'dotted', 'double'].forEach((line, under) => {
      const underline = `text-decoration: underline ${line} var(--c${hue}) 2px;`;
      rules.push(`::highlight(${lookOf(hue, under, true)}) { background-color: color-mix(in oklab, var(--c${hue}) 24%, transparent); ${underline} }`,
        `::highlight(${lookOf(hue, under, false)}) { ${underline} }`);
    });
  }
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules.join('\n'));
  return sheet;
}
let looks: CSSStyleSheet | undefined;

export class Editor {
  readonly node: HTMLElement;

  constructor(props: Record<string, unknown>, changed: () => void) {
    this.node = h('div', { role: 'textbox', 'aria-multiline': 'true', tabindex: '0', spellcheck: 'false', ...props });
    this.node.setAttribute('contenteditable', 'plaintext-only');
    if (this.node.contentEditable !== 'plaintext-only') this.keepPlain();
    this.node.addEventListener('input', () => {
      this.noteEmpty();
      changed();
    });
    this.noteEmpty();
    if (!looks) document.adoptedStyleSheets = [...document.adoptedStyleSheets, (looks = topicLooks())];
  }

  get text(): string {
    return this.pieces().map(p => p.text).join('');
  }

  set text(value: string) {
    this.node.textContent = value.endsWith('\n') ? `${value}\n` : value;
    this.noteEmpty();
  }

  /** Where the caret is in the text; -1 if it is not there. */
  get caret(): number {
    const selection = document.getSelection();
    return selection?.focusNode ? this.offsetOf(selection.focusNode, selection.focusOffset) : -1;
  }

  /** The place in the text at a place on the screen; -1 if there is none. */
  at(x: number, y: number): number {
    if (document.caretPositionFromPoint) {
      const found = document.caretPositionFromPoint(x, y);
      return found ? this.offsetOf(found.offsetNode, found.offset) : -1;
    }
    const found = document.caretRangeFromPoint(x, y);
    return found ? this.offsetOf(found.startContainer, found.startOffset) : -1;
  }

  /** In place of the marks of these looks that there were: all whose name begins so. */
  mark(beginning: string, all: readonly Marks[]): void {
    if (!('highlights' in CSS)) return;
    for (const name of [...CSS.highlights.keys()]) if (name.startsWith(beginning)) CSS.highlights.delete(name);
    const pieces = this.pieces();
    for (const { look, places } of all) {
      const highlight = new Highlight(...places.flatMap(([start, end]) => this.range(pieces, start, end) ?? []));
      highlight.priority = beginning === 'topic' ? 0 : 1;
      CSS.highlights.set(look, highlight);
    }
  }

  /** Scrolls the text, and not the page, to the first of these places if none of them is seen. */
  reveal(places: readonly (readonly [number, number])[]): void {
    const pieces = this.pieces();
    const boxes = places.flatMap(([start, end]) => this.range(pieces, start, end) ?? []).map(range => range.getBoundingClientRect());
    const { top, bottom } = this.node.getBoundingClientRect();
    const first = boxes[0];
    if (first && !boxes.some(b => b.top >= top && b.bottom <= bottom)) this.node.scrollTop += first.top - top - this.node.clientHeight / 3;
  }

  /** The text as its nodes have it. A line end at the very end needs something after it to be seen, which is no part of the text. */
  private pieces(): { node: Node; text: string }[] {
    const pieces: { node: Node; text: string }[] = [];
    const walker = document.createTreeWalker(this.node, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof Text) pieces.push({ node, text: node.data });
      else if (node instanceof HTMLBRElement) pieces.push({ node, text: '\n' });
      else if (pieces.length > 0) pieces.push({ node, text: '\n' });
    }
    const last = pieces.at(-1);
    if (last?.text.endsWith('\n')) last.text = last.text.slice(0, -1);
    return pieces;
  }

  private range(pieces: readonly { node: Node; text: string }[], start: number, end: number): Range | undefined {
    let place = 0;
    for (const { node, text } of pieces) {
      if (node instanceof Text && start >= place && end <= place + text.length) {
        const range = document.createRange();
        range.setStart(node, start - place);
        range.setEnd(node, end - place);
        return range;
      }
      place += text.length;
    }
    return undefined;
  }

  private offsetOf(node: Node, offset: number): number {
    if (!this.node.contains(node)) return -1;
    const inside = node instanceof Text ? node : node.childNodes[offset];
    let place = 0;
    for (const piece of this.pieces()) {
      if (piece.node === inside) return place + (node instanceof Text ? Math.min(offset, piece.text.length) : 0);
      place += piece.text.length;
    }
    return place;
  }

  private noteEmpty(): void {
    this.node.classList.toggle('empty', this.text === '');
  }

  /** For browsers whose editing is never plain: what would bring in elements brings in text. */
  private keepPlain(): void {
    this.node.setAttribute('contenteditable', 'true');
    this.node.addEventListener('beforeinput', event => {
      const given = event.inputType === 'insertParagraph' ? '\n' : event.inputType.startsWith('insertFrom') ? event.dataTransfer?.getData('text/plain') : undefined;
      if (event.inputType.startsWith('format')) event.preventDefault();
      if (given === undefined) return;
      event.preventDefault();
      document.execCommand(given === '\n' ? 'insertLineBreak' : 'insertText', false, given);
    });
  }
}
