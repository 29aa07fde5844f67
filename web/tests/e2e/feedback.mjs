// What people say of suggestions for a document, and a server that takes up another model while the page is open.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newPage, open, page, text, tolerate, until, written } from './browser.mjs';
import { at, base, example, info, sentence } from './server.mjs';

const ask = async (path, body) => (await fetch(`${base}/api/v1/${path}`, { method: 'POST', body: JSON.stringify(body) })).json();
const suggested = () => ask('suggest', { document: example.id, k: 8 });
const rows = () => page.locator('#why-suggested-0').locator('xpath=ancestor::ol').locator('> li');

describe('feedback', { skip: !info.feedback && 'the server takes none' }, () => {
  test('a link is rejected, shown as such, taken back; another is accepted; all by keys', async () => {
    const { links } = await suggested();
    await open(at(example.id));
    await rows().first().waitFor();
    const reject = rows().nth(0).getByRole('button', { name: `Reject the link to ${links[0].title}` });
    await reject.focus();
    await page.keyboard.press('Enter');
    await until(async () => (await rows().nth(0).locator('[role=status]').innerText()) === 'Rejected', 'the verdict');
    assert.match(await rows().nth(0).getAttribute('class'), /rejected/);
    assert.match(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), /^Undo/);
    assert.ok(!(await suggested()).links.some(l => l.id === links[0].id));

    await page.reload();
    await page.locator('details.suggested summary').click();
    await page.getByRole('button', { name: `Undo: ask again about the link to ${links[0].title}` }).click();
    await until(async () => (await suggested()).links.some(l => l.id === links[0].id), 'it is suggested again');

    await page.reload();
    await rows().nth(1).getByRole('button', { name: 'Accept' }).click();
    await until(async () => (await suggested()).links[1].verdict === 'accept', 'the server knows');
    await page.reload();
    await rows().first().waitFor();
    assert.equal(await rows().nth(1).locator('[role=status]').innerText(), 'Accepted');
    await rows().nth(1).getByRole('button', { name: 'Undo' }).click();
    await until(async () => (await suggested()).links[1].verdict === undefined, 'nothing is left of it');
    await rows().nth(1).getByRole('button', { name: 'Reject' }).waitFor();
  });

  test('a tag is accepted, and what fails is said', async () => {
    tolerate();
    await page.route('**/api/v1/suggest', async route => {
      const found = await (await route.fetch()).json();
      await route.fulfill({ json: { ...found, labels: found.labels.map(l => ({ ...l, probability: 0.999 })) } });
    });
    await open(at(example.id));
    const tag = page.locator('section.suggested li').first();
    const name = await tag.locator('.tag').innerText();
    assert.equal(await tag.locator('.score').innerText(), 'over 95 %');
    assert.equal(await tag.locator('.tag').evaluate(e => getComputedStyle(e).display), 'inline-block', 'it is as wide as its name');
    await page.route('**/api/v1/feedback', route => route.fulfill({ status: 409, json: { error: 'it has that label' } }), { times: 1 });
    await tag.getByRole('button', { name: `Accept the tag ${name}` }).click();
    await until(async () => (await tag.locator('[role=status]').innerText()) === 'It has that label.', 'why not');
    await tag.getByRole('button', { name: `Accept the tag ${name}` }).click();
    await until(async () => (await tag.locator('[role=status]').innerText()) === 'Accepted', 'the verdict');
    await tag.getByRole('button', { name: 'Undo' }).click();
    await tag.getByRole('button', { name: 'Reject' }).waitFor();
  });

  test('suggestions that do not come are asked for again, and the page is not shown without them', async () => {
    tolerate();
    await page.route('**/api/v1/suggest', route => route.fulfill({ status: 503, json: { error: 'too much to do' } }), { times: 1 });
    await open(at(example.id));
    assert.ok((await rows().count()) > 0);
  });

  test('there are no buttons for a text that nobody has saved, nor from a server that takes none', async () => {
    await open(`#/write?text=${encodeURIComponent(sentence)}`);
    await page.waitForSelector('.results .links > li');
    assert.equal(await page.locator('.judge').count(), 0);
    await page.route('**/api/v1/info', route => route.fulfill({ json: { ...info, feedback: false } }));
    await open(at(example.id));
    await page.getByRole('heading', { name: 'Near, and not linked yet' }).waitFor();
    assert.equal(await page.locator('.judge').count(), 0);
  });
});

describe('a new model', () => {
  /** From now on answers are those of another model, which has a number of documents of its own. */
  async function replace() {
    await page.route('**/api/v1/**', async route => {
      const response = await route.fetch();
      const headers = { ...response.headers(), 'idne-model': 'fedcba9876543210' };
      if (!route.request().url().endsWith('/info')) return route.fulfill({ response, headers });
      return route.fulfill({ response, headers, json: { ...(await response.json()), version: 'fedcba9876543210', documents: 12345 } });
    });
  }
  const facts = () => text('#facts');

  test('is noticed by the next answer, and what is read is shown anew', async () => {
    await open('#/topics');
    await replace();
    let asked = 0;
    page.on('request', r => (asked += r.url().includes('/topics')));
    await page.locator('#q').fill('a');
    await until(async () => (await facts()).includes('12,345 documents'), 'the facts of the new model');
    await until(() => asked > 0, 'its topics');
    await page.waitForSelector('.card');
    assert.equal(await page.inputValue('#q'), 'a');
  });

  test('leaves a view alone while somebody types in it', async () => {
    await open('#/map');
    await replace();
    await page.locator('#map-find').focus();
    await page.keyboard.type('one');
    await until(async () => (await facts()).includes('12,345 documents'), 'the facts of the new model');
    await page.waitForTimeout(300);
    await page.keyboard.type(' two');
    assert.equal(await page.inputValue('#map-find'), 'one two');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'map-find');
  });

  test('leaves a text that is being written as it is', async () => {
    await newPage();
    await open('#/write');
    await page.locator('#text').fill(sentence);
    await page.waitForSelector('.results .links > li');
    await replace();
    await page.locator('#text').press('End');
    await page.keyboard.type(' And so on');
    await until(async () => (await facts()).includes('12,345 documents'), 'the facts of the new model');
    await page.keyboard.type('.');
    assert.equal(await written(), `${sentence} And so on.`);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'text');
    await page.waitForSelector('.results .links > li');
  });
});
