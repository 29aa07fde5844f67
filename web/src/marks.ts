import type { Token } from './api';
import { h, percent } from './dom';
import type { Model } from './model';

/** A word of a text that the model knows, by its place in the text. */
export interface Range { start: number; end: number; word: string; topic: number | null; weight: number }

/** Finds the tokens in the text: they cover it, but need not if the server changed line ends. */
export function rangesOf(text: string, tokens: readonly Token[]): Range[] {
  const ranges: Range[] = [];
  let place = 0;
  for (const token of tokens) {
    const start = text.startsWith(token.text, place) ? place : text.indexOf(token.text, place);
    if (start < 0) continue;
    place = start + token.text.length;
    if (token.word !== null) ranges.push({ start, end: place, word: token.word, topic: token.topic, weight: token.weight });
  }
  return ranges;
}

/** Words as they stand, for models without topics: enough to show which are a reason. */
export function plainRanges(text: string): Range[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(m => ({
    start: m.index, end: m.index + m[0].length, word: m[0].toLowerCase(), topic: null, weight: 0,
  }));
}

const inWord = (letter: string | undefined): boolean => letter !== undefined && /[\p{L}\p{N}]/u.test(letter);

/** Keeps the ranges that an edit leaves alone, moved to their new places. */
export function edited(ranges: readonly Range[], before: string, after: string): Range[] {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const shift = after.length - before.length;
  const rest = before.length - tail;
  return ranges.flatMap(r => {
    if (r.end < head || (r.end === head && !inWord(after[head]))) return [r];
    if (r.start > rest || (r.start === rest && !inWord(after[rest + shift - 1]))) return [{ ...r, start: r.start + shift, end: r.end + shift }];
    return [];
  });
}

/** How much a word stands out: a tenth of the words are marked strongly, another tenth softly, so that those that count are seen. */
export type Strength = 'strong' | 'soft' | 'none';
export function strengths(ranges: readonly Range[]): Strength[] {
  const sorted = ranges.filter(r => r.topic !== null).map(r => r.weight).sort((a, b) => b - a);
  const least = (count: number): number => Math.max(sorted[Math.min(sorted.length, Math.ceil(count)) - 1] ?? Infinity, (sorted[0] ?? 0) / 5);
  const [strong, soft] = [least(Math.max(5, ranges.length / 10)), least(Math.max(8, ranges.length / 5))];
  return ranges.map(r => (r.topic === null ? 'none' : r.weight >= strong ? 'strong' : r.weight >= soft ? 'soft' : 'none'));
}

/** The text with its words marked: hue and underline by topic, strength by weight. */
export function marked(text: string, ranges: readonly Range[], model: Model, titles: boolean): DocumentFragment {
  const out = document.createDocumentFragment();
  const strong = strengths(ranges);
  let place = 0;
  for (const [n, r] of ranges.entries()) {
    if (r.start > place) out.append(text.slice(place, r.start));
    const title = titles && r.topic !== null ? `Topic ${r.topic}: ${model.about(r.topic, 6)} – weight ${percent(r.weight)}` : undefined;
    out.append(h('mark', { class: `${model.colour(r.topic)} ${strong[n]}`.trim(), 'data-word': r.word, 'data-topic': r.topic, title },
      text.slice(r.start, r.end)));
    place = r.end;
  }
  out.append(text.slice(place));
  return out;
}

/** Shows which words are meant, by word or by topic; nothing is meant without a test. */
export function point(marks: HTMLElement, meant?: (mark: HTMLElement) => boolean): void {
  marks.classList.toggle('pointed', meant !== undefined);
  for (const mark of marks.querySelectorAll('mark')) mark.classList.toggle('hit', meant?.(mark) ?? false);
}

/** Highlights words in a text as they stand there, and tells where the first is. */
export function highlightWords(element: HTMLElement, words: readonly string[]): globalThis.Range | undefined {
  if (words.length === 0 || !('highlights' in CSS)) return undefined;
  const escaped = [...words].sort((a, b) => b.length - a.length).map(w => w.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
  const ranges: globalThis.Range[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    for (const match of node.data.matchAll(pattern)) {
      const range = document.createRange();
      range.setStart(node, match.index);
      range.setEnd(node, match.index + match[0].length);
      ranges.push(range);
    }
  }
  CSS.highlights.set('found', new Highlight(...ranges));
  return ranges[0];
}

/** Calls on hover and on focus, and takes it back after. */
export function whileOver(element: HTMLElement, enter: () => void, leave: () => void): void {
  element.addEventListener('pointerenter', enter);
  element.addEventListener('pointerleave', leave);
  element.addEventListener('focusin', enter);
  element.addEventListener('focusout', leave);
}
