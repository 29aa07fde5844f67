// Topics and documents: the pages one reads.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hash, open, page, text, tolerate, until } from './browser.mjs';
import { api, at, base, example, info, largest } from './server.mjs';

describe('topics and documents', () => {
  test('topics are listed, one opens, its pages turn', async () => {
    await open('#/topics');
    assert.equal(await page.locator('.card').count(), info.topics);
    await page.locator('.card h2 a').first().click();
    await page.waitForSelector('.one-topic');
    assert.match(await text('h1'), new RegExp(`${largest.words[0].word}`));
    const parts = await page.locator('.words .bar').evaluateAll(all => all.map(e => Number(getComputedStyle(e).getPropertyValue('--part'))));
    assert.ok(parts.length > 10);
    assert.deepEqual(parts, [...parts].sort((a, b) => b - a), 'the largest part first');
    const { total } = await api(`documents?topic=${largest.topic}&k=1`);
    if (total > 20) {
      await page.getByRole('link', { name: 'After →' }).click();
      await until(async () => /^Page 2 /m.test(await page.locator('.pager').innerText()), 'page 2');
      await page.goBack();
      await until(async () => /^Page 1 /m.test(await page.locator('.pager').innerText()), 'page 1');
    }
  });

  test('a document shows its text and topics; a neighbour can be followed; why opens; back returns', async () => {
    await page.clock.install();
    await open(at(example.id));
    assert.equal(await text('h1'), example.title);
    assert.equal((await page.locator('.text').textContent()), example.tokens.map(t => t.text).join(''));
    assert.ok((await page.locator('.text mark[title*=Topic]').count()) > 0);
    const why = page.locator('.why').first();
    tolerate();
    await page.route('**/api/v1/explain/pair', route => route.abort(), { times: 1 });
    await why.click();
    await until(async () => /does not answer.*again/.test(await text('.links [role=alert]').catch(() => '')), 'what is amiss');
    await page.clock.fastForward(3000);
    await page.waitForSelector('.reason .pair');
    assert.equal(await why.getAttribute('aria-expanded'), 'true');
    const pair = await (await fetch(`${base}/api/v1/explain/pair`, { method: 'POST', body: JSON.stringify({ first: { document: example.id }, second: { document: example.links[0].id }, top: 8 }) })).json();
    const share = Math.round((100 * pair.words[0].part) / pair.score);
    assert.equal(await text('.reason .value'), share < 1 ? '< 1 %' : `${share} %`, 'a part is a share of the score');
    await why.click();
    assert.ok(!(await page.locator('.reason').isVisible()));
    const next = await text('.document .links .title');
    await page.locator('.document .links .title').first().click();
    await until(async () => (await text('h1')) === next, 'the neighbour');
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'H1');
    await page.reload();
    await page.waitForSelector('article.document');
    assert.equal(await text('h1'), next);
    await page.goBack();
    await until(async () => (await text('h1')) === example.title, 'the first document');
  });

  test('what brings two together is told without shares where it is more than their score', async () => {
    let words = true;
    await page.route('**/api/v1/explain/pair', async route => {
      const pair = await (await route.fetch()).json();
      await route.fulfill({ json: { ...pair, score: pair.words[0].part / 1.8, words: words ? pair.words : [] } });
    });
    await open(at(example.id));
    await page.locator('.why').first().click();
    await page.waitForSelector('.reason .pair');
    assert.match(await text('.reason'), /; others hold them apart:/);
    assert.doesNotMatch(await text('.reason'), /%/);
    words = false;
    await page.locator('.why').nth(1).click();
    await until(async () => /No single words stand out\.\s*These topics/.test(await page.locator('.reason').last().innerText().catch(() => '')), 'topics alone');
  });

  test('a long text leaves its neighbours in view, beside it or on the second screen of a phone', async () => {
    await page.route('**/api/v1/read?*', async route => {
      const response = await route.fetch();
      const doc = await response.json();
      await route.fulfill({ response, json: { ...doc, tokens: Array.from({ length: 60 }, () => [...doc.tokens, { text: '\n', word: null, topic: null, weight: 0 }]).flat() } });
    });
    await open(at(example.id));
    await page.evaluate(() => window.scrollTo(0, 3000));
    assert.ok(await page.locator('.document .links .title').first().evaluate(e => e.getBoundingClientRect().top >= 0 && e.getBoundingClientRect().bottom < innerHeight));
    await page.setViewportSize({ width: 390, height: 800 });
    await open(at(example.id));
    assert.ok(await page.locator('aside').evaluate(e => e.getBoundingClientRect().top + scrollY < 2 * innerHeight), 'on the second screen');
    await page.getByRole('button', { name: 'Show the whole text' }).click();
    assert.ok(await page.locator('aside').evaluate(e => e.getBoundingClientRect().top + scrollY > 2 * innerHeight));
  });

  test('a document whose id means something in a path is opened, and leads on', async t => {
    const [hit] = (await api('search?q=..&k=1')).results;
    if (hit?.id !== '..') return t.skip('this model has none');
    await open(at('..'));
    assert.equal(await text('h1'), hit.title || '..');
    await page.locator('.document .links .title').first().click();
    await until(() => hash() !== at('..'), 'the address of the neighbour');
    await until(() => page.evaluate(() => document.activeElement?.tagName === 'H1'), 'the neighbour');
    assert.notEqual(await text('h1'), 'Not here');
  });

  test('a document without text is said to have none', async () => {
    await page.route('**/api/v1/read?*', async route => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), whole: false, tokens: [] } });
    });
    await open(at(example.id));
    assert.equal(await text('.reading .note'), 'This document has no text.');
  });

  test('a document that is not there is said to be so', async () => {
    tolerate();
    await open(at('no such/document'));
    assert.equal(await text('h1'), 'Not here');
  });
});
