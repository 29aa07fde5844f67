import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const entry = name => fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url));
async function load(name) {
  const { output } = (await build({
    configFile: false, logLevel: 'silent',
    build: { write: false, minify: false, lib: { entry: entry(name), formats: ['es'], fileName: name } },
  }))[0];
  return import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
}
const { parse, format, formatOutline, parseOutline } = await load('address');
const { forms } = await load('copying');
const { edited, plainRanges, rangesOf } = await load('marks');

test('an address survives being written and read', () => {
  for (const id of ['7zip', 'a/b c', 'naïve?x=1&y#z', '100%', '日本語', '../..']) {
    assert.deepEqual(parse(format('document', id, { page: '2' })), { view: 'document', id, query: { page: '2' } });
  }
  const text = 'a + b & c = 100 %\nnew line #tag';
  assert.equal(parse(format('write', '', { text })).query.text, text);
});

test('empty values are left out', () => {
  assert.equal(format('map', '', { q: '', colour: 'label' }), '#/map?colour=label');
  assert.equal(format('topics'), '#/topics');
});

test('an address of nothing known is the start', () => {
  for (const hash of ['', '#', '#/', '#/nowhere/3?x=1']) assert.equal(parse(hash).view, 'write');
});

test('a broken escape does not throw', () => assert.equal(parse('#/document/100%').id, '100%'));

test('an outline keeps its shape in few corners', () => {
  const circle = Array.from({ length: 500 }, (_, i) => [0.5 + 0.2 * Math.cos(i / 80), 0.5 + 0.2 * Math.sin(i / 80)]);
  const back = parseOutline(formatOutline(circle));
  assert.ok(back.length > 20 && back.length <= 48);
  for (const [x, y] of back) assert.ok(Math.abs(Math.hypot(x - 0.5, y - 0.5) - 0.2) < 0.002);
  assert.deepEqual(parseOutline('1,2;3'), []);
  assert.deepEqual(parseOutline('1,2;3,x;4,5'), []);
});

test('an edit keeps the marks it does not touch', () => {
  const before = 'red green blue';
  const words = after => edited(plainRanges(before), before, after).map(r => [r.word, after.slice(r.start, r.end)]);
  assert.deepEqual(words('red green blue '), [['red', 'red'], ['green', 'green'], ['blue', 'blue']]);
  assert.deepEqual(words('red green blues'), [['red', 'red'], ['green', 'green']]);
  assert.deepEqual(words('red gren blue'), [['red', 'red'], ['blue', 'blue']]);
  assert.deepEqual(words('a red green blue'), [['red', 'red'], ['green', 'green'], ['blue', 'blue']]);
  assert.deepEqual(words(''), []);
});

test('tokens are found even where line ends differ', () => {
  const token = (text, word = null) => ({ text, word, topic: 1, weight: 1 });
  const text = 'one\r\ntwo 😀 two';
  const found = rangesOf(text, [token('one', 'one'), token('\n'), token('two', 'two'), token(' 😀 '), token('two', 'two')]);
  assert.deepEqual(found.map(r => r.start), [0, 5, 12]);
});

test('a copied link is one, whatever a title and an id have in them', () => {
  globalThis.location = { href: 'http://host/page#/write' };
  const wiki = (title, id = '7') => forms.wiki.of({ id, title });
  assert.equal(wiki('Space flight (2nd)'), '[[Space flight (2nd)]]');
  assert.equal(wiki('a [[b]] c|d'), '[[7|a b c d]]');
  assert.equal(wiki('C#'), '[[7|C#]]');
  assert.equal(wiki('two\nlines'), '[[7|two lines]]');
  assert.equal(wiki('', 'a|b'), '[[a b]]');
  const markdown = (title, id = '7') => forms.markdown.of({ id, title });
  assert.equal(markdown('a [b] \\ `c`\nd'), '[a \\[b\\] \\\\ \\`c\\` d](http://host/page#/document/7)');
  assert.equal(markdown('x', 'a(b)'), '[x](http://host/page#/document/a%28b%29)');
});
