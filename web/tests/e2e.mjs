// Drives the page in a browser. IDNE_URL is the address of a running `idne serve`; CHROMIUM the browser, if not /usr/bin/chromium.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { chromium } from 'playwright-core';

const base = (process.env.IDNE_URL ?? '').replace(/\/$/, '');
assert.ok(base, 'set IDNE_URL to the address of a running server');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const api = async path => (await fetch(`${base}/api/v1/${path}`)).json();

const info = await api('info');
const topics = info.topics > 0 ? (await api('topics?top=10&examples=3')).topics : [];
const largest = topics.reduce((a, b) => (b.share > a.share ? b : a));
const linked = (await api('documents?from=0&k=20')).documents;
let example;
for (const { id } of linked) {
  example = await api(`documents/${encodeURIComponent(id)}`);
  if (example.links.length > 0) break;
}
const sentence = `Something about ${largest.words.slice(0, 4).map(w => w.word).join(' and ')}, and then more.`;
const at = id => `#/document/${encodeURIComponent(id)}`;
const views = {
  write: `#/write?text=${encodeURIComponent(sentence)}`, start: '#/write', map: '#/map', topics: '#/topics',
  topic: `#/topic/${largest.topic}`, document: at(example.id), documents: '#/document',
};

let browser, context, page, complaints, tolerant;

async function open(hash) {
  await page.goto('about:blank');
  await page.goto(`${base}/${hash}`);
  await page.waitForSelector('main h1');
}
const text = selector => page.locator(selector).first().innerText();
const hash = () => decodeURIComponent(new URL(page.url()).hash);
/** Waits until a check passes, as a reader would. */
async function until(check, what) {
  const end = Date.now() + 10000;
  for (;;) {
    if (await check()) return;
    if (Date.now() > end) assert.fail(`never came: ${what}`);
    await page.waitForTimeout(50);
  }
}
async function newPage(options = {}) {
  await context?.close();
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  await context.addInitScript(() => addEventListener('securitypolicyviolation', e => console.error(`policy: ${e.violatedDirective}`)));
  page = await context.newPage();
  page.on('console', m => m.type() === 'error' && complaints.push(m.text()));
  page.on('pageerror', e => complaints.push(e.message));
  page.on('request', r => {
    if (!r.url().startsWith(`${base}/`) && !r.url().startsWith('data:')) complaints.push(`asked ${r.url()}`);
  });
}

before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-compositing'],
  });
});
after(() => browser.close());
beforeEach(async () => {
  complaints = [];
  tolerant = false;
  await newPage();
});
afterEach(() => {
  if (!tolerant) assert.deepEqual(complaints, []);
});

describe('write', () => {
  test('a typed text gets tags, links, reasons and coloured words', async () => {
    await open('#/write');
    await page.locator('#text').pressSequentially(sentence, { delay: 5 });
    await page.waitForSelector('.results .links > li');
    assert.ok((await page.locator('.backdrop mark[class*=c]').count()) >= 3, 'words are coloured');
    assert.ok((await page.locator('.linking .pair').count()) > 0, 'links have reasons');
    if (info.labels > 0) assert.match(await text('.results .bars .value'), /%/);
    assert.match(await page.locator('.write [role=status]').textContent(), /to link to/);
    const same = await page.evaluate(() => {
      const [area, back] = [document.querySelector('#text'), document.querySelector('.backdrop')];
      const style = e => ['font', 'letterSpacing', 'padding', 'width', 'height', 'whiteSpace'].map(k => getComputedStyle(e)[k]).join();
      return [style(area) === style(back), area.value === back.textContent, area.scrollHeight <= area.clientHeight];
    });
    assert.deepEqual(same, [true, true, true], 'marks lie under the words');
  });

  test('pointing at a link shows its words in the text; undo still works', async () => {
    await open('#/write');
    await page.locator('#text').fill(sentence);
    await page.waitForSelector('.results .links > li');
    assert.equal(await page.locator('mark.hit').count(), 0);
    await page.locator('.results .links > li').first().hover();
    assert.ok((await page.locator('mark.hit').count()) > 0);
    await page.mouse.move(5, 5);
    assert.equal(await page.locator('mark.hit').count(), 0);
    await page.locator('.results .links > li a').first().focus();
    assert.ok((await page.locator('mark.hit').count()) > 0);
    await page.locator('#text').focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' xyz');
    await page.keyboard.press('Control+z');
    assert.ok(!(await page.locator('#text').inputValue()).endsWith('xyz'));
  });

  test('one request at a time, and only the last answer is shown', async () => {
    let running = 0;
    let most = 0;
    await page.route('**/api/v1/suggest', async route => {
      most = Math.max(most, ++running);
      await new Promise(done => setTimeout(done, 400));
      const { text: asked } = route.request().postDataJSON();
      await route.fulfill({ json: { labels: [{ label: `for ${asked.length}`, probability: 0.5 }], links: [{ id: 'x', title: 'x', score: 1, topics: [], words: [], pairs: [] }] } });
      running--;
    });
    await open('#/write');
    const word = largest.words[0].word;
    for (const s of [word, `${word} ${word}`, `${word} ${word} ${word}`]) {
      await page.locator('#text').fill(s);
      await page.waitForTimeout(220);
    }
    await until(async () => (await page.locator('.results .tag').count()) > 0 && (await text('.results .tag')) === `for ${word.length * 3 + 2}`, 'the last answer');
    assert.equal(most, 1);
  });

  test('a reload shows the same, short texts from the address, long ones from the session', async () => {
    await open('#/write');
    await page.locator('#text').fill(sentence);
    await until(() => hash().includes(sentence), 'the text in the address');
    await page.waitForSelector('.results .links > li');
    const first = await text('.results .links > li a');
    await page.reload();
    await page.waitForSelector('.results .links > li');
    assert.equal(await page.locator('#text').inputValue(), sentence);
    assert.equal(await text('.results .links > li a'), first);
    const long = `${sentence} `.repeat(60);
    await page.locator('#text').fill(long);
    await until(() => hash() === '#/write', 'an address without the text');
    await page.reload();
    await page.waitForSelector('.results .links > li');
    assert.equal(await page.locator('#text').inputValue(), long);
  });

  test('an empty box offers examples, and words nobody knows are said to be so', async () => {
    await open('#/write');
    await page.locator('.example').first().click();
    await page.waitForSelector('.results .links > li');
    await page.locator('#text').fill('qqzzx wwvvk');
    await until(async () => (await page.locator('.page').innerText()).includes('knows none'), 'the hint');
    await page.getByRole('button', { name: 'Clear' }).click();
    assert.ok(await page.locator('.example').first().isVisible());
  });
});

/** A place on the canvas with a document under it. */
async function findPoint() {
  const box = await page.locator('.points').boundingBox();
  for (let i = 0; i < 900; i++) {
    const [r, a] = [Math.sqrt(i / 900) * 0.42, i * 2.4];
    const [x, y] = [box.x + box.width * (0.5 + r * Math.cos(a)), box.y + box.height * (0.5 + r * Math.sin(a))];
    await page.mouse.move(x, y);
    if (await page.locator('.points.over-point').count()) return [x, y];
  }
  return assert.fail('no point on the map');
}
const openMap = async h => {
  await open(h);
  await page.waitForSelector('.in-view tbody tr');
};

describe('map', () => {
  test('is drawn in several colours', async () => {
    await openMap('#/map');
    await page.waitForTimeout(300);
    const shot = (await page.locator('.points').screenshot()).toString('base64');
    const hues = await page.evaluate(async data => {
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
      canvas.drawImage(image, 0, 0);
      const { data: d } = canvas.getImageData(0, 0, image.width, image.height);
      const counts = new Map();
      for (let i = 0; i < d.length; i += 4) {
        const [max, min] = [Math.max(d[i], d[i + 1], d[i + 2]), Math.min(d[i], d[i + 1], d[i + 2])];
        if (max - min < 60) continue;
        const hue = [d[i], d[i + 1], d[i + 2]].map(v => Math.round((3 * (v - min)) / (max - min))).join();
        counts.set(hue, (counts.get(hue) ?? 0) + 1);
      }
      return [...counts.values()].filter(n => n > 20).length;
    }, shot);
    assert.ok(hues >= 4, `${hues} hues`);
  });

  test('a point tells its title and leads to its document, and back', async () => {
    await openMap('#/map');
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

  test('zoom, move, colour and choice are in the address, and a reload restores them', async () => {
    await openMap('#/map');
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.locator('.points').hover();
    await page.mouse.wheel(0, -200);
    await page.mouse.down();
    await page.mouse.move(700, 300, { steps: 5 });
    await page.mouse.up();
    if (info.labels > 0) await page.getByText('Labels', { exact: true }).first().click();
    await page.locator('.key').nth(1).click();
    await until(() => /only=/.test(hash()) && /zoom=/.test(hash()), 'the address');
    await page.waitForTimeout(400);
    const number = async () => Number(/[\d,]+/.exec(await text('#list-title'))[0].replaceAll(',', ''));
    const [address, listed, pressed] = [hash(), await number(), await page.locator('.key').nth(1).getAttribute('data-key')];
    assert.ok(Number(/zoom=([\d.]+)/.exec(address)[1]) > 1.5);
    await page.reload();
    await page.waitForSelector('.in-view tbody tr');
    await page.waitForTimeout(500);
    assert.equal(hash(), address);
    assert.ok(Math.abs((await number()) - listed) <= 1 + listed / 500);
    assert.equal(await page.locator('.key[aria-pressed=true]').getAttribute('data-key'), pressed);
  });

  test('an outline lists its documents', async () => {
    await openMap('#/map');
    const box = await page.locator('.points').boundingBox();
    const draw = async () => {
      for (let i = 0; i <= 24; i++) {
        const [x, y] = [box.x + box.width * (0.5 + 0.25 * Math.cos(i / 4)), box.y + box.height * (0.5 + 0.25 * Math.sin(i / 4))];
        await page.mouse.move(x, y);
        if (i === 0) await page.mouse.down();
      }
      await page.mouse.up();
    };
    const number = async () => Number(/[\d,]+/.exec(await text('#list-title'))[0].replaceAll(',', ''));
    await page.keyboard.down('Shift');
    await draw();
    await page.keyboard.up('Shift');
    await until(async () => (await text('#list-title')).includes('outline'), 'the list');
    const inside = await number();
    assert.ok(inside > 0 && inside < info.documents, `${inside} documents`);
    await until(() => hash().includes('lasso='), 'the outline in the address');
    await page.reload();
    await until(async () => (await page.locator('#list-title').count()) > 0 && (await text('#list-title')).includes('outline'), 'the list again');
    assert.ok(Math.abs((await number()) - inside) <= Math.max(5, inside * 0.05));
    await page.getByRole('button', { name: 'Remove the outline' }).click();
    await until(async () => (await number()) > inside, 'the whole list');
    await page.getByRole('button', { name: 'Draw an outline' }).click();
    await draw();
    await until(async () => (await text('#list-title')).includes('outline'), 'the list by the button');
  });

  test('finding shows the hits', async () => {
    await openMap('#/map');
    await page.locator('#map-find').fill(largest.words[0].word);
    await until(async () => /\d+ hits? for/.test(await text('#list-title')), 'hits');
    assert.ok((await page.locator('.in-view tbody tr').count()) > 0);
    assert.ok((await text('.matched')).length > 0);
    const found = await text('#list-title');
    await until(() => hash().includes('q='), 'the words in the address');
    await page.reload();
    await page.waitForSelector('.in-view tbody tr');
    assert.equal(await text('#list-title'), found);
  });
});

describe('topics and documents', () => {
  test('topics are listed, one opens, its pages turn', async () => {
    await open('#/topics');
    assert.equal(await page.locator('.card').count(), info.topics);
    await page.locator('.card h2 a').first().click();
    await page.waitForSelector('.one-topic');
    assert.match(await text('h1'), new RegExp(`${largest.words[0].word}`));
    assert.ok((await page.locator('.words li').count()) > 10);
    const { total } = await api(`documents?topic=${largest.topic}&k=1`);
    if (total > 20) {
      await page.getByRole('link', { name: 'After →' }).click();
      await until(async () => /^Page 2 /m.test(await page.locator('.pager').innerText()), 'page 2');
      await page.goBack();
      await until(async () => /^Page 1 /m.test(await page.locator('.pager').innerText()), 'page 1');
    }
  });

  test('a document shows its text and topics; a neighbour can be followed; why opens; back returns', async () => {
    await open(at(example.id));
    assert.equal(await text('h1'), example.title);
    assert.equal((await page.locator('.text').textContent()), example.tokens.map(t => t.text).join(''));
    assert.ok((await page.locator('.text mark[title*=Topic]').count()) > 0);
    const why = page.locator('.why').first();
    await why.click();
    await page.waitForSelector('.reason .pair');
    assert.equal(await why.getAttribute('aria-expanded'), 'true');
    assert.ok((await page.locator('.reason .value').count()) > 0);
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

  test('a document that is not there is said to be so', async () => {
    tolerant = true;
    await open(at('no such/document'));
    assert.equal(await text('h1'), 'Not here');
  });
});

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

  test('keys alone reach the content, the map and a document', async () => {
    await open('#/write');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'text');
    await page.locator('#nav a').nth(1).focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.in-view tbody tr');
    for (let i = 0; i < 12 && !(await page.locator('.points:focus').count()); i++) await page.keyboard.press('Tab');
    assert.equal(await page.locator('.points:focus').count(), 1);
    await page.keyboard.press('+');
    await page.keyboard.press('ArrowRight');
    await until(() => /zoom=1\.4/.test(hash()), 'zoom by a key');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.chosen .title');
    for (let i = 0; i < 12 && !(await page.locator('.chosen .title:focus').count()); i++) await page.keyboard.press('Tab');
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
    tolerant = true;
    await open('#/topics');
    await page.route('**/api/**', route => route.abort());
    await page.locator('#nav a').nth(3).click();
    await page.waitForSelector('.trouble:not([hidden])');
    assert.match(await text('.trouble'), /does not answer/);
    await page.unroute('**/api/**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForSelector('.rows li');
    assert.ok(!(await page.locator('.trouble').isVisible()));
  });

  test('a token is asked for once and kept', async () => {
    tolerant = true;
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
    await openMap('#/map');
    assert.match(await text('.legend'), /no topics[^]*no labels/);
    await open(views.write);
    await page.waitForSelector('.results .links > li');
    await page.locator('.results .links > li').first().hover();
    assert.ok((await page.locator('mark.hit').count()) > 0);
  });

  test('a phone has no sideways scroll', async () => {
    for (const width of [360, 390, 768]) {
      await newPage({ viewport: { width, height: 780 } });
      for (const [name, h] of Object.entries(views)) {
        await open(h);
        if (name === 'map') await page.waitForSelector('.in-view tbody tr');
        if (name === 'write') await page.waitForSelector('.results .links > li');
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${name} is ${wide} wide at ${width}`);
      }
    }
  });

  for (const colorScheme of ['light', 'dark']) {
    test(`axe finds nothing wrong, ${colorScheme}`, async () => {
      await newPage({ colorScheme, reducedMotion: 'reduce' });
      for (const [name, h] of Object.entries(views)) {
        await open('#/nowhere');
        await page.evaluate(() => sessionStorage.clear());
        await open(h);
        if (name === 'map') await page.waitForSelector('.in-view tbody tr');
        if (name === 'write') {
          await page.waitForSelector('.results .links > li');
          await page.locator('.results .links > li').first().hover();
        }
        if (name === 'document') {
          await page.locator('.why').first().click();
          await page.waitForSelector('.reason .pair');
        }
        await page.evaluate(axe);
        const { violations, passes } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
        assert.ok(passes.length > 10);
        assert.deepEqual(violations.map(v => `${name}: ${v.id}: ${v.nodes[0].html} ${v.nodes[0].failureSummary}`), []);
      }
    });
  }

  test('paints, and the map moves; how fast is told', async t => {
    await open('#/write');
    const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime);
    await openMap('#/map');
    const box = await page.locator('.points').boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.evaluate(() => {
      window.frames_ = 0;
      const count = () => {
        window.frames_++;
        requestAnimationFrame(count);
      };
      count();
    });
    const begun = Date.now();
    for (let i = 0; Date.now() - begun < 2000; i++) await page.mouse.move(box.x + box.width / 2 + 80 * Math.sin(i / 9), box.y + box.height / 2 + 60 * Math.cos(i / 9));
    const frames = (await page.evaluate(() => window.frames_)) / ((Date.now() - begun) / 1000);
    await page.mouse.up();
    t.diagnostic(`first paint after ${Math.round(paint)} ms; ${frames.toFixed(0)} frames a second while the map of ${info.documents} documents moves (software rendering)`);
    assert.ok(paint > 0 && frames > 0);
  });
});
