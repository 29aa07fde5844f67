import { get, type Info, type Topic, type TopicList } from './api';
import { format } from './address';
import { h, percent } from './dom';

export const hues = 12;

/** What every view needs to know: the facts and the topics, each with a colour by the rank of its share. */
export class Model {
  private readonly ranks = new Map<number, number>();
  private readonly looks = new Map<number, { hue: number; under: number }>();
  private readonly byNumber = new Map<number, Topic>();

  private constructor(readonly info: Info, readonly topics: Topic[]) {
    [...topics].sort((a, b) => b.share - a.share).forEach((t, rank) => this.ranks.set(t.topic, rank));
    for (const t of topics) this.byNumber.set(t.topic, t);
    this.chooseLooks();
  }

  /** The twelve largest topics have hues of their own; a smaller one has that of the largest topic which it is related to. */
  private chooseLooks(): void {
    const taken = Array.from({ length: hues }, () => 0);
    for (const t of [...this.topics].sort((a, b) => this.rank(a.topic) - this.rank(b.topic))) {
      const rank = this.rank(t.topic);
      const kin = t.related.map(r => r.topic).filter(r => this.looks.has(r)).sort((a, b) => this.rank(a) - this.rank(b))[0];
      const hue = rank < hues || kin === undefined ? rank % hues : this.looks.get(kin)!.hue;
      this.looks.set(t.topic, { hue, under: taken[hue]!++ % 4 });
    }
  }

  static async load(): Promise<Model> {
    const info = await get<Info>('info');
    const topics = info.topics > 0 ? (await get<TopicList>('topics?top=10&examples=3')).topics : [];
    return new Model(info, topics);
  }

  topic(number: number): Topic | undefined {
    return this.byNumber.get(number);
  }

  rank(topic: number): number {
    return this.ranks.get(topic) ?? 0;
  }

  /** One of twelve hues, and one of four underlines that tell the topics of one hue apart. */
  look(topic: number): { hue: number; under: number } {
    return this.looks.get(topic) ?? { hue: 0, under: 0 };
  }

  /** The same as classes. */
  colour(topic: number | null): string {
    if (topic === null) return '';
    const { hue, under } = this.look(topic);
    return `c${hue} u${under}`;
  }

  /** The name that somebody gave it, or else its first words. */
  name(topic: number, words = 3): string {
    const known = this.topic(topic);
    return known?.named ? known.name : this.words(topic, words);
  }

  words(topic: number, count: number): string {
    return this.topic(topic)?.words.slice(0, count).map(w => w.shown).join(', ') ?? '';
  }

  /** For a tip: the name, if it has one, and what it is about. */
  about(topic: number, words: number): string {
    const known = this.topic(topic);
    return `${known?.named ? `${known.name}: ` : ''}${this.words(topic, words)}`;
  }

  chip(topic: number, part?: number): HTMLElement {
    return h('a', { class: `chip ${this.colour(topic)}`, href: format('topic', topic), title: `Topic ${topic}: ${this.about(topic, 8)}` },
      h('span', { class: 'number' }, topic), h('span', { class: 'name' }, this.name(topic)),
      part !== undefined && h('span', { class: 'muted' }, percent(part)));
  }
}

export interface View {
  title: string;
  node: HTMLElement;
  /** Called when the node is in the page. */
  shown?(): void;
  /** Puts what is seen into the address and the session at once: it may be left before that would be done. */
  keep?(): void;
  leave?(): void;
  /** Called when the reader has come to it anew, not back to it: it may scroll to what matters. */
  arrived?(): void;
  /** Goes on with another model; a view that has no such thing is made anew. */
  renew?(model: Model): void;
}
