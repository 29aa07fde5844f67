// Two side by side; names that editors give; the tour; topics over time.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hash, newPage, open, page, text, tolerate, until, waitForLinks, written } from './browser.mjs';
import { api, at, base, example, info, largest, sentence } from './server.mjs';

const other = example.links[0];
const both = `#/compare?a=${encodeURIComponent(example.id)}&b=${encodeURIComponent(other.id)}`;

describe('compare', () => {
  test('two documents: their words, topics and links', async () => {
    await open(both);
    await page.waitForSelector('.shared .reason');
    assert.match(await text('.shared'), /likeness is \d\.\d\d/);
    assert.match(await text('.shared'), /They are linked with each other/);
    assert.ok((await page.locator('.both tbody tr').count()) > 0);
    const pair = await api(`documents/${encodeURIComponent(other.id)}`);
    const common = pair.links.filter(d => example.links.some(e => e.id === d.id));
    if (common.length > 0) assert.match(await text('.shared'), new RegExp(`linked with ${common.length} document`));
  });

  test('links are told of whole lists, not of those that a document shows', async () => {
    await page.route('**/api/v1/read?*', async route => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), links: [] } });
    });
    await open(both);
    await page.waitForSelector('.shared .reason');
    assert.match(await text('.shared'), /They are linked with each other/);
    const { total } = await (await fetch(`${base}/api/v1/links/common`, { method: 'POST', body: JSON.stringify({ first: { document: example.id }, second: { document: other.id } }) })).json();
    if (total > 0) assert.match(await text('.shared'), new RegExp(`linked with ${total} document`));
  });

  test('a phone shows the shares of both, and those of a year', async t => {
    await newPage({ viewport: { width: 390, height: 780 } });
    await open(both);
    await page.waitForSelector('.both');
    assert.ok(await page.locator('.both tbody tr').first().locator('td').evaluateAll(all => all.length === 2 && all.every(cell => cell.offsetWidth > 60)));
    if (!info.dates) return t.skip('no dates');
    await open(`#/topic/${largest.topic}`);
    await page.getByText('As a table').click();
    assert.ok(await page.locator('.in-years tbody tr td').first().isVisible());
  });

  test('long texts stay: on the way back, after a reload, under Compare, and while another model is taken up', async () => {
    const long = `${sentence} `.repeat(60);
    const areas = page.locator('textarea');
    await open('#/compare');
    await areas.first().fill(long);
    await areas.last().fill('A short one.');
    await page.locator('#nav a').nth(2).click();
    await page.waitForSelector('.cards');
    await page.goBack();
    await page.waitForSelector('textarea');
    const stays = async () => assert.deepEqual([await areas.first().inputValue(), await areas.last().inputValue()], [long, 'A short one.']);
    await stays();
    await page.reload();
    await page.waitForSelector('textarea');
    await stays();
    await page.locator('#nav a').first().click();
    await page.waitForSelector('#text');
    await page.getByRole('link', { name: 'Compare' }).click();
    await page.waitForSelector('textarea');
    await stays();
    await page.route('**/api/v1/**', async route => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), 'idne-model': 'fedcba9876543210' }, ...(route.request().url().endsWith('/info') && { json: { ...info, version: 'fedcba9876543210', documents: 12345 } }) });
    });
    await areas.last().press('End');
    await page.keyboard.type(' More');
    await until(async () => (await text('#facts')).includes('12,345 documents'), 'the facts of the new model');
    await page.keyboard.type('.');
    assert.deepEqual([await areas.first().inputValue(), await areas.last().inputValue()], [long, 'A short one. More.']);
  });

  test('a text and a document that is found by its name; the address keeps both', async () => {
    await open('#/compare');
    await page.locator('textarea').first().fill(sentence);
    await page.locator('input[type=search]').last().fill(example.title);
    await page.locator('.hits-here button', { hasText: example.title }).first().click();
    await page.waitForSelector('.shared .reason');
    await until(() => hash().includes('ta=') && hash().includes(`b=${example.id}`), 'both in the address');
    await page.reload();
    await page.waitForSelector('.shared .reason');
    assert.equal(await page.locator('textarea').inputValue(), sentence);
  });

  test('a server that does not find, or does not tell what was found, is asked again by itself', async () => {
    tolerate();
    await page.clock.install();
    await open('#/compare');
    await page.route('**/api/v1/search?*', route => route.abort(), { times: 1 });
    await page.locator('input[type=search]').last().fill(example.title);
    await until(async () => /does not answer.*again/.test(await page.locator('.hits-here').last().innerText()), 'what is amiss');
    await page.clock.fastForward(3000);
    const hit = page.locator('.hits-here button', { hasText: example.title }).first();
    await hit.waitFor();
    await page.route('**/api/v1/read?*', route => route.abort(), { times: 1 });
    await hit.click();
    await until(async () => /does not answer.*again/.test(await page.locator('.side-by-side').last().innerText()), 'what is amiss');
    await page.clock.fastForward(3000);
    await page.locator('.side-by-side h2 a', { hasText: example.title }).waitFor();
  });

  test('from a reason, one click puts the two side by side', async () => {
    await open(at(example.id));
    await page.locator('.why').first().click();
    await page.getByRole('link', { name: 'See them side by side' }).click();
    await page.waitForSelector('.shared .reason');
  });
});

describe('first visit', () => {
  test('examples are texts, and the tour leads through what there is', async () => {
    await open('#/write');
    await page.waitForSelector('.example');
    if (info.texts) assert.ok((await text('.example')).split(' ').length > 8, 'a text, not a title');
    await page.getByRole('button', { name: 'Take a short tour' }).click();
    await page.waitForSelector('.tour'); // when the text is answered
    const said = [];
    for (let n = 0; n < 8 && (await page.locator('.tour').count()) > 0; n++) {
      assert.equal(await page.locator('.shown-now').count(), 1);
      said.push(await text('.tour p'));
      await page.locator('.tour .main').click();
    }
    assert.ok(said.length >= 4 && new Set(said).size === said.length, said.join());
    assert.equal(await page.locator('.shown-now').count(), 0);
    assert.ok((await written()).length > 0);
    await waitForLinks();
  });

  test('on a phone the box of the tour leaves the place of the text in sight, and what it says is so', async () => {
    await newPage({ viewport: { width: 390, height: 780 } });
    await open('#/write');
    await page.getByRole('button', { name: 'Take a short tour' }).click();
    await page.waitForSelector('.tour');
    while (!(await page.locator('.where.shown-now').count())) await page.locator('.tour .main').click();
    assert.match(await text('.tour p'), /A click on a point opens that document/);
    const [stage, box] = await page.evaluate(() => ['.where .stage', '.tour'].map(one => document.querySelector(one).getBoundingClientRect().toJSON()));
    assert.ok(stage.top >= 0 && stage.bottom <= box.top, `${stage.top} to ${stage.bottom}, the box from ${box.top}`);
    await page.locator('.tour').getByRole('button', { name: 'End' }).click();
    assert.equal(await page.evaluate(() => document.body.style.paddingBottom), '');
  });

  test('the frame is there before the model is', async () => {
    let go;
    const ready = new Promise(done => (go = done));
    await page.route('**/api/v1/info', async route => {
      await ready;
      await route.continue();
    });
    await page.goto('about:blank');
    await page.goto(`${process.env.IDNE_URL}/#/topics`);
    assert.ok(await page.locator('#nav a').first().isVisible());
    await until(async () => /is being loaded/.test(await text('main')), 'what it waits for');
    go();
    await page.waitForSelector('.card');
  });
});

describe('names and times', () => {
  test('an editor names a topic, which all see at once, and takes the name away', async t => {
    if (!info.renaming) return t.skip('this server takes no names');
    await open(`#/topic/${largest.topic}`);
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.keyboard.type('Stars and planets');
    // Another editor was quicker, with a name for something else.
    const another = largest.topic === 1 ? 2 : 1;
    const name = async given => {
      const known = (await api('info')).version;
      assert.ok((await fetch(`${base}/api/v1/names`, { method: 'POST', body: JSON.stringify({ topic: another, name: given }) })).ok);
      await until(async () => (await api('info')).version !== known, 'the name of the other');
    };
    await name('Something else');
    await page.keyboard.press('Enter');
    await until(async () => (await text('h1 .name')) === 'Stars and planets', 'the new name');
    assert.equal((await api('topics')).topics.find(one => one.topic === largest.topic).name, 'Stars and planets');
    await name('');
    await newPage({ viewport: { width: 390, height: 780 } });
    await open('#/topics');
    assert.match(await text('.cards'), /Stars and planets/);
    await open(`#/map?only=${largest.topic}`);
    assert.equal(await text('.key[aria-pressed=true] .name'), 'Stars and planets');
    await open(`#/topic/${largest.topic}`);
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('button', { name: 'Take the name away' }).click();
    await until(async () => !(await text('h1 .name')).includes('Stars and'), 'its words again');
  });

  test('a label gets another name', async t => {
    const [label] = (await api('map')).labels;
    if (!info.renaming || !label) return t.skip('this server takes no names');
    await open(`#/document?label=${encodeURIComponent(label)}`);
    const rename = async name => {
      await page.getByRole('button', { name: 'Rename' }).click();
      await page.locator('.renaming input').fill(name);
      await page.keyboard.press('Enter');
      await until(async () => (await text('h1')) === `Documents tagged ${name}`, 'the new name');
      await page.waitForSelector('.rows li');
    };
    await rename('something else');
    await rename(label);
  });

  test('topics over time, where documents have dates', async t => {
    if (!info.dates) return t.skip('no dates');
    tolerate();
    await page.route('**/api/v1/times?*', route => route.fulfill({ status: 503, json: { error: 'too much to do' } }), { times: 1 });
    await open('#/topics');
    assert.ok((await page.locator('.card .times').count()) > 0);
    await open(`#/topic/${largest.topic}`);
    assert.match(await page.locator('.over-years .times').getAttribute('aria-label'), /\d{4} to \d{4}/);
    await page.getByText('As a table').click();
    assert.ok((await page.locator('.in-years tbody tr').count()) >= 2);
  });

  test('years without documents take their room', async t => {
    if (!info.dates) return t.skip('no dates');
    await page.route('**/api/v1/times?*', async route => {
      const times = await (await route.fetch()).json();
      await route.fulfill({ json: { ...times, periods: ['2000', '2001', '2010'], documents: [5, 5, 5], topics: times.topics.map(one => ({ ...one, shares: one.shares.slice(0, 3) })) } });
    });
    await open(`#/topic/${largest.topic}`);
    const places = (await page.locator('.over-years .over-time').getAttribute('points')).split(' ').map(p => Number(p.split(',')[0]));
    assert.deepEqual(places, [0, 64, 640]);
  });
});
