// The map: what stands out on it, a document or a group, by hand or by the address.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findPoint, hash, listed, open, openMap, page, text, tolerate, until, waitForList } from './browser.mjs';
import { api, example, sentence } from './server.mjs';

describe('choosing on the map', () => {
  test('a point tells its title and leads to its document, and back', async () => {
    await openMap();
    const [x, y] = await findPoint();
    await page.waitForSelector('.tip:not([hidden])');
    const title = await text('.tip strong');
    await page.mouse.click(x, y);
    await page.waitForSelector('.chosen .title');
    assert.equal(await text('.chosen .title'), title);
    await until(() => hash().includes('doc='), 'the document in the address');
    await page.locator('.chosen .title').click();
    await page.waitForSelector('article.document');
    assert.equal(await text('h1'), title);
    await page.goBack();
    await page.waitForSelector('.chosen .title');
    assert.equal(await text('.chosen .title'), title);
  });

  test('of two points the last that is picked is shown; a server that does not answer is asked again', async () => {
    tolerate();
    await page.clock.install();
    await openMap();
    const [first, second] = [await findPoint(300), await findPoint(450)];
    const choose = async place => {
      await page.mouse.click(...place);
      await page.waitForSelector('.chosen .title');
    };
    await choose(first);
    const { row } = await api(`read?document=${(await page.locator('.chosen .title').getAttribute('href')).split('/').pop()}`);
    const its = `**/api/v1/documents?from=${row}&k=1`;
    const openAnew = async () => {
      await open('#/map');
      await page.waitForSelector('.key');
      await page.waitForTimeout(300);
      await page.mouse.click(...first);
    };
    let go;
    const late = new Promise(done => (go = done));
    await page.route(its, async route => {
      await late;
      await route.continue();
    });
    await openAnew();
    await choose(second);
    const title = await text('.chosen .title');
    go();
    await page.waitForTimeout(100);
    assert.equal(await text('.chosen .title'), title);
    await page.unroute(its);
    await page.route(its, route => route.abort());
    await openAnew();
    await until(async () => /does not answer.*again by itself/.test(await text('.chosen')), 'what is amiss');
    await page.unroute(its);
    await page.clock.fastForward(3000);
    await page.waitForSelector('.chosen .title');
    assert.notEqual(await text('.chosen .title'), title);
    await open('#/map?doc=no%20such');
    assert.match(await text('.chosen'), /no document “no such” here/);
  });

  test('every group has a colour; one that stands out keeps it, and the rest is dimmed', async () => {
    await openMap();
    assert.equal(await page.locator('.key.other').count(), 0);
    const before = await listed();
    const key = page.locator('.key').last();
    await page.locator('.legend details').evaluateAll(all => all.forEach(d => (d.open = true)));
    const colour = await key.getAttribute('class');
    await key.click();
    await until(async () => (await listed()) < before, 'the list is of it alone');
    assert.equal(await page.locator('.key[aria-pressed=true]').getAttribute('class'), colour);
  });

  test('a label that stands out shows all its documents, also one that is no document\'s first, and can be undone', async t => {
    const map = await api('map');
    if (map.labels.length === 0) return t.skip('no labels');
    const label = map.labels[0];
    const { total } = await api(`documents?k=1&label=${encodeURIComponent(label)}`);
    // As if all who have it had another one first.
    await page.route('**/api/v1/map', route => route.fulfill({ json: { ...map, label: map.label.map(one => (one === 0 ? 1 : one)) } }));
    await open(`#/map?colour=label&only=${encodeURIComponent(label)}`);
    await until(async () => (await listed()) === total, 'all its documents');
    const key = page.locator('.key[aria-pressed=true]');
    assert.match(await key.innerText(), new RegExp(`${label}\\s+${total}`));
    await key.focus();
    await page.keyboard.press('Enter');
    await until(async () => (await listed()) === map.documents, 'all documents');
    assert.equal(await page.locator('.key[aria-pressed=true]').count(), 0);
    await page.locator('.key').last().click();
    await page.getByRole('button', { name: 'See all alike' }).click();
    await until(async () => (await listed()) === map.documents, 'all documents again');
    const other = page.locator('.key').first();
    const name = await other.getAttribute('data-key');
    await other.click();
    const its = (await api(`documents?k=1&label=${encodeURIComponent(name)}`)).total;
    await until(async () => (await listed()) === its, 'all documents of the other');
    assert.equal(await page.evaluate(() => document.activeElement.dataset.key), name);
  });

  test('the links of a document are drawn', async () => {
    await open(`#/map?doc=${encodeURIComponent(example.id)}`);
    await until(async () => (await page.locator('.over').getAttribute('data-lines')) === String(example.links.length), 'its links');
    await page.locator('.chosen .close').click();
    await until(async () => (await page.locator('.over').getAttribute('data-lines')) === '0', 'no links');
  });

  test('the card of a text can be closed, and its place stays', async () => {
    await open(`#/map?text=${encodeURIComponent(sentence)}`);
    await page.getByRole('button', { name: 'Close' }).click();
    assert.equal(await page.locator('.chosen .inner').count(), 0);
    await until(async () => (await page.locator('.over').getAttribute('data-lines')) === '10', 'its lines');
  });
});
