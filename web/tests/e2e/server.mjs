// The server that is tested, and what it serves: facts and examples for the tests.
import assert from 'node:assert/strict';

export const base = (process.env.IDNE_URL ?? '').replace(/\/$/, '');
assert.ok(base, 'set IDNE_URL to the address of a running server');
export const api = async path => (await fetch(`${base}/api/v1/${path}`)).json();

export const info = await api('info');
const topics = info.topics > 0 ? (await api('topics?top=10&examples=3')).topics : [];
/** The topic with the largest share. */
export const largest = topics.reduce((a, b) => (b.share > a.share ? b : a));
/** A document that has links. */
export let example;
for (const { id } of (await api('documents?from=0&k=20')).documents) {
  example = await api(`documents/${encodeURIComponent(id)}`);
  if (example.links.length > 0) break;
}
export const sentence = `Something about ${largest.words.slice(0, 4).map(w => w.word).join(' and ')}, and then more.`;
/** The address of a document. */
export const at = id => `#/document/${encodeURIComponent(id)}`;
/** Every view, by name. */
export const views = {
  write: `#/write?text=${encodeURIComponent(sentence)}`, start: '#/write', map: '#/map', topics: '#/topics',
  topic: `#/topic/${largest.topic}`, document: at(example.id), documents: '#/document',
  compare: `#/compare?a=${encodeURIComponent(example.id)}&b=${encodeURIComponent(example.links[0].id)}`,
};
