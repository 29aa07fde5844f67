import { post, type Pair, type Reason } from './api';
import { bar, h, percent } from './dom';
import type { Model } from './model';

/** Pairs of words as in "network, neural – neuron", the strongest first. */
export function pairWords(pairs: readonly Pair[]): HTMLElement[] {
  return pairs.filter(p => p.part > 0).map(p => h('span', { class: 'pair', title: `${percent(p.part)} of the likeness` },
    h('em', {}, p.word), p.with !== p.word && h('span', { class: 'muted' }, ' – '), p.with !== p.word && h('em', {}, p.with)));
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
  const node = h('div', { class: 'reason' },
    h('p', {}, 'Their likeness is ', h('strong', {}, found.cosine.toFixed(2)), ' of 1. ',
      words.length > 0 ? 'These words bring them together, first here, then there:' : 'No single words stand out.'),
    h('ol', { class: 'bars' }, ...words.map(w => h('li', {}, h('span', { class: 'pair' }, h('em', {}, w.word), h('span', { class: 'muted' }, ' – '), h('em', {}, w.with)),
      bar(w.part / most), h('span', { class: 'value' }, percent(w.part))))),
    topics.size > 0 && h('p', {}, 'and these topics, shared or side by side:'),
    topics.size > 0 && h('ul', { class: 'chips' }, ...[...topics.values()].sort((a, b) => b.part - a.part).slice(0, 4).map(t =>
      h('li', {}, model.chip(t.topic), t.with !== t.topic && ' with ', t.with !== t.topic && model.chip(t.with), h('span', { class: 'muted' }, ` ${percent(t.part)}`)))));
  return { node, words: new Set(words.map(w => w.word)) };
}
