import { format } from './address';
import { called, post, type WordPair, type Reason, type Suggestion, type WordPart } from './api';
import { bar, h, percent } from './dom';
import type { Model } from './model';

/** A part that is more than the whole, because other parts pull down, is no share of it. */
const isShare = (part: number, whole: number): boolean => part <= whole;

/** Pairs of words as in "network, neural – neuron", the strongest first. */
export function pairWords(pairs: readonly WordPair[], whole: number): HTMLElement[] {
  return pairs.filter(p => p.part > 0).map(p => h('span', { class: 'pair', title: isShare(p.part, whole) ? `${percent(p.part / whole)} of the score` : undefined },
    h('em', {}, p.word), p.with !== p.word && h('span', { class: 'muted' }, ' – '), p.with !== p.word && h('em', {}, p.with)));
}

/** What a link's score is made of, as one bar and in words. */
export function scoreParts(link: Suggestion): HTMLElement {
  const named: [string, string, number][] = [['words', 'words that both have', link.parts.words], ['space', 'nearness in the space', link.parts.space], ['votes', 'similar documents that link there', link.parts.votes]];
  const shown = named.filter(([, , part]) => part > 0);
  const whole = shown.reduce((sum, [, , part]) => sum + part, 0) || 1;
  const said = shown.map(([, what, part]) => `${what} ${part.toFixed(2)}`).join(', ');
  return h('span', { class: 'score-parts', role: 'img', 'aria-label': said, title: said },
    ...shown.map(([name, , part]) => h('span', { class: `part-${name}`, '--grow': (part / whole).toFixed(3) })));
}

/** "A and B, which are like your text, link to it": those who gave most of the votes. */
export function voterLine(link: Suggestion): HTMLElement | false {
  const most = link.voters.slice(0, 2);
  return most.length > 0 && h('p', { class: 'voters muted' },
    ...most.flatMap((v, i) => [i > 0 ? ' and ' : '', h('a', { href: format('document', v.id) }, called(v))]),
    most.length > 1 ? ', which are like your text, link to it' : ', which is like your text, links to it');
}

/** The words that speak for a tag, and those against it. */
export function forAndAgainst(words: readonly WordPart[]): HTMLElement | false {
  const list = (some: readonly WordPart[]): string => some.map(w => w.word).join(', ');
  const speak = words.filter(w => w.part > 0), against = words.filter(w => w.part < 0);
  return words.length > 0 && h('span', { class: 'own muted' }, speak.length > 0 ? `for it: ${list(speak)}` : '',
    speak.length > 0 && against.length > 0 ? ' · ' : '', against.length > 0 ? `against: ${list(against)}` : '');
}

interface Side { document?: string; text?: string }

/** Why two texts are near: the pairs of words and of topics that give most of their likeness. */
export async function reason(first: Side, second: Side, model: Model): Promise<{ node: HTMLElement; words: Set<string> }> {
  const found = await post<Reason>('explain/pair', { first, second, top: 8 });
  const words = found.words.filter(w => w.part > 0);
  const most = Math.max(0.001, ...words.map(w => w.part));
  const topics = new Map<string, { topic: number; with: number; part: number }>();
  for (const t of found.topics.filter(t => t.part > 0)) {
    const key = [t.topic, t.with].sort((a, b) => a - b).join();
    const known = topics.get(key);
    if (known) known.part += t.part;
    else topics.set(key, { ...t });
  }
  const weighed = [...words, ...topics.values()].every(one => isShare(one.part, found.score));
  const share = (part: number): string => percent(part / found.score);
  const node = h('div', { class: 'reason' },
    h('p', {}, 'Their likeness is ', h('strong', {}, found.cosine.toFixed(2)), ' of 1. ', words.length === 0 ? 'No single words stand out.'
      : `These words bring them together, first here, then there${weighed ? '' : '; others hold them apart'}:`),
    h('ol', { class: 'bars' }, ...words.map(w => h('li', {}, h('span', { class: 'pair' }, h('em', {}, w.word), h('span', { class: 'muted' }, ' – '), h('em', {}, w.with)),
      bar(w.part / most), weighed && h('span', { class: 'value' }, share(w.part))))),
    topics.size > 0 && h('p', {}, words.length > 0 ? 'and these topics, shared or side by side:' : 'These topics are shared, or side by side:'),
    topics.size > 0 && h('ul', { class: 'chips' }, ...[...topics.values()].sort((a, b) => b.part - a.part).slice(0, 4).map(t =>
      h('li', {}, model.chip(t.topic), t.with !== t.topic && ' with ', t.with !== t.topic && model.chip(t.with), weighed && h('span', { class: 'muted' }, ` ${share(t.part)}`)))));
  return { node, words: new Set(words.map(w => w.word)) };
}
