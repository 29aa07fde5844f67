// What is around the views: search, keys, the theme, and what happens when the server or the model lacks something.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hash, markedWords, newPage, open, openMap, page, text, tolerate, until, waitForLinks, waitForList } from './browser.mjs';
import { api, base, example, info, largest, views } from './server.mjs';

/** Presses Tab until an element has the focus. */
async function tabTo(selector) {
  for (let i = 0; i < 12 && !(await page.locator(`${selector}:focus`).count()); i++) await page.keyboard.press('Tab');
  assert.equal(await page.locator(`${selector}:focus`).count(), 1);
}

describe('the frame', () => {
  test('search finds, by keys alone', async () => {
    await open('#/topics');
    await page.locator('#q').focus();
    await page.keyboard.type(largest.words[0].word);
    await page.waitForSelector('.hits li a');
    const second = await page.locator('.hits li a .name').nth(1).innerText();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForSelector('article.document');
    assert.equal(await text('h1'), second);
    assert.ok(!(await page.locator('.hits').isVisible()));
  });

  test('search: a slash goes there, hits show their words, Enter opens what was typed, which is marked there', async () => {
    await open('#/topics');
    await page.keyboard.press('/');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'q');
    const [first, second] = [example.title, (await api(`documents?from=${info.documents - 1}&k=1`)).documents[0].title];
    await page.keyboard.type(first);
    await page.waitForSelector('.hits li a');
    assert.equal(await text('.hits li .name'), first);
    // At once after other words: the old hits are still there.
    await page.locator('#q').fill(second);
    await page.keyboard.press('Enter');
    await page.waitForSelector('article.document');
    assert.equal(await text('h1'), second);
    const here = hash();
    await page.locator('#q').fill(second);
    await page.keyboard.press('Enter'); // what is open already
    await until(() => page.locator('.hits').isHidden(), 'no hits over it');
    assert.equal(hash(), here);
    assert.equal(await page.evaluate(() => document.activeElement.tagName), 'H1');
    const word = largest.words[0].word;
    await page.keyboard.press('/');
    await page.keyboard.type(word);
    await page.waitForSelector('.hits .snippet b');
    assert.match((await text('.hits .snippet b')).toLowerCase(), new RegExp(`^${word.slice(0, 4)}`));
    await page.locator('.hits li a', { has: page.locator('.snippet b') }).first().click();
    await until(async () => {
      const found = await markedWords('found');
      return found.length > 0 && found.every(w => w.toLowerCase().startsWith(word.slice(0, 4)));
    }, 'its words alone, marked in the document');
  });

  test('a search that is not answered is said to be so, and asked again', async () => {
    tolerate();
    await page.clock.install();
    await open('#/topics');
    await page.route('**/api/v1/search?*', route => route.abort(), { times: 1 });
    await page.locator('#q').fill(largest.words[0].word);
    await until(async () => /does not answer.*again by itself/.test(await text('.hits').catch(() => '')), 'what is amiss');
    await page.clock.fastForward(3000);
    await page.waitForSelector('.hits li a');
  });

  test('long words in titles and labels do not widen the page', async () => {
    const long = 'Unbroken'.repeat(400);
    await page.route('**/api/v1/**', async route => {
      const response = await route.fetch();
      const lengthen = (key, value) => (key === 'title' ? long : key === 'labels' && Array.isArray(value) ? value.map(l => (typeof l === 'string' ? l + long : l)) : value);
      await route.fulfill({ response, body: JSON.stringify(JSON.parse(await response.text(), lengthen)) });
    });
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      for (const name of Object.keys(views)) {
        await open(views[name]);
        await page.waitForTimeout(150);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${name} is ${wide} wide at ${width}`);
        const tall = await page.evaluate(() => Math.max(0, ...[...document.querySelectorAll('main a:not(.voters a), .voters, main h1, main h2')].map(e => e.getBoundingClientRect().height)));
        assert.ok(tall < 260, `${name} has a name of ${tall} pixels' height at ${width}`);
      }
    }
  });

  test('keys alone reach the content, the map and a document', async () => {
    await open('#/write');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'text');
    await page.locator('#nav a').nth(1).focus();
    await page.keyboard.press('Enter');
    await waitForList();
    await tabTo('.points');
    await page.keyboard.press('+');
    await page.keyboard.press('ArrowRight');
    await until(() => /zoom=1\.4/.test(hash()), 'zoom by a key');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.chosen .title');
    await tabTo('.chosen .title');
    await page.keyboard.press('Enter');
    await page.waitForSelector('article.document');
  });

  test('the theme follows the system until one is chosen, and stays', async () => {
    const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    await newPage({ colorScheme: 'dark' });
    await open('#/topics');
    const dark = await paper();
    await page.locator('#theme').click();
    const light = await paper();
    assert.notEqual(dark, light);
    await page.reload();
    assert.equal(await paper(), light);
    await page.locator('#theme').click();
    assert.equal(await paper(), dark);
  });

  test('a server that is gone is one line and a retry', async () => {
    tolerate();
    await open('#/topics');
    await page.route('**/api/**', route => route.abort());
    await page.locator('#nav a').nth(3).click();
    await page.waitForSelector('.trouble:not([hidden])');
    assert.match(await text('.trouble'), /does not answer/);
    await page.unroute('**/api/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForSelector('.rows li');
    assert.ok(!(await page.locator('.trouble').isVisible()));
    await page.route('**/api/**', route => route.abort());
    await page.goto(`${base}/#/map`);
    await page.waitForSelector('.trouble:not([hidden])');
    await page.unroute('**/api/**');
    await waitForList(); // by itself, for nobody went on with what was there
  });

  test('a token is asked for once and kept', async () => {
    tolerate();
    await page.route('**/api/**', route => (route.request().headers()['authorization'] === 'Bearer secret' ? route.continue() : route.fulfill({ status: 401, json: { error: 'a token is needed' } })));
    await page.goto(`${base}/#/topics`);
    await page.waitForSelector('dialog[open]');
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await until(async () => (await page.locator('dialog[open]').count()) > 0 && (await text('dialog')).includes('does not know'), 'the second question');
    await page.keyboard.type('secret');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.card');
    await page.reload();
    await page.waitForSelector('.card');
    assert.equal(await page.locator('dialog').count(), 0);
    const tab = await page.context().newPage();
    await tab.route('**/api/**', route => (route.request().headers()['authorization'] === 'Bearer secret' ? route.continue() : route.fulfill({ status: 401, json: {} })));
    await tab.goto(`${base}/#/topics`);
    await tab.waitForSelector('.card');
  });

  test('a token may have any letters', async () => {
    tolerate();
    const bytes = Buffer.from('Bearer žába-☃').toString('latin1');
    await page.route('**/api/**', route => ([bytes, 'Bearer žába-☃'].includes(route.request().headers()['authorization']) ? route.continue() : route.fulfill({ status: 401, json: {} })));
    await page.goto(`${base}/#/topics`);
    await page.waitForSelector('dialog[open]');
    await page.locator('#token').fill('žába-☃');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.card');
  });

  test('a model without topics and labels says so and works', async () => {
    await page.route('**/api/v1/info', async route => route.fulfill({ json: { ...info, topics: 0, labels: 0 } }));
    await page.route('**/api/v1/map', async route => {
      const map = await (await route.fetch()).json();
      await route.fulfill({ json: { ...map, topic: map.topic.map(() => 0), label: map.label.map(() => -1), labels: [] } });
    });
    await page.route('**/api/v1/suggest', async route => {
      const found = await (await route.fetch()).json();
      await route.fulfill({ json: { labels: [], links: found.links.map(l => ({ ...l, topics: [] })) } });
    });
    await open('#/topics');
    assert.match(await text('main'), /has no topics/);
    await openMap();
    assert.match(await text('.legend'), /no topics[^]*no labels/);
    await open(views.write);
    await waitForLinks();
    await page.locator('.results .links > li').first().hover();
    assert.ok((await markedWords('meant')).length > 0);
  });
});
