// The map: its points, what the reader does with them, and the list below.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findPoint, hash, listed, newPage, open, openMap, page, text, tolerate, until, waitForList } from './browser.mjs';
import { api, example, info, largest, sentence } from './server.mjs';

/** In the page: remembers where the ring and the diamond were last drawn. */
function noteMarks() {
  const { arc, lineTo } = CanvasRenderingContext2D.prototype;
  let last = [NaN, NaN];
  CanvasRenderingContext2D.prototype.arc = function (x, y, radius, ...all) {
    if (radius === 9) window.ring_ = [x, y];
    arc.call(this, x, y, radius, ...all);
  };
  CanvasRenderingContext2D.prototype.lineTo = function (x, y) {
    if (Math.hypot(x - last[0] - 9, y - last[1] - 9) < 0.01) window.marker_ = [x - 9, y]; // the first two corners of a diamond
    last = [x, y];
    lineTo.call(this, x, y);
  };
}

/** Shows one group alone, the first that has documents in view; tells its key. */
async function showOneGroup() {
  for (const key of await page.locator('.key').all()) {
    await key.click();
    if ((await listed()) > 0) return key.getAttribute('data-key');
  }
  return assert.fail('nothing is in view');
}

describe('map', () => {
  test('is drawn in several colours', async () => {
    await openMap();
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

  test('the tip goes when the map moves under it', async () => {
    await openMap();
    await findPoint();
    await page.waitForSelector('.tip:not([hidden])');
    await page.mouse.wheel(0, -300);
    await until(() => page.locator('.tip').isHidden(), 'no tip');
  });

  test('names of areas, then of documents appear as one comes nearer; colour goes by links too', async () => {
    const map = await api('map');
    const area = (row, name, documents) => ({ topic: null, x: map.x[row], y: map.y[row], documents, name });
    map.areas = [area(0, 'one, area', map.documents), area(map.documents - 1, 'another', map.documents / 2), area(1, 'far, too small', 0)];
    await page.route('**/api/v1/map', route => route.fulfill({ json: map }));
    await openMap();
    const drawn = async what => Number(await page.locator('.over').getAttribute(`data-${what}`));
    const zoomIn = async times => {
      for (let n = 0; n < times; n++) await page.getByRole('button', { name: 'Zoom in' }).click();
    };
    await until(async () => (await drawn('areas')) === 0 && (await drawn('landmarks')) === 0, 'topics alone');
    await zoomIn(2);
    await until(async () => (await drawn('areas')) === 2, 'areas');
    assert.equal(await drawn('landmarks'), 0);
    await zoomIn(3);
    await page.unroute('**/api/v1/map');
    await until(async () => (await drawn('landmarks')) > 3, 'documents');
    await page.getByText('Links', { exact: true }).click();
    await until(async () => /\d links?/.test(await text('.legend .key .name')), 'steps of links');
    await until(() => hash().includes('colour=links'), 'the address');
    assert.equal(await page.locator('.segments input[value=date]').isDisabled(), !(await api('map')).date.some(d => d > 0));
  });

  test('names are whole, and never over one another or beneath what lies over the map, at every zoom and on a phone', async () => {
    const map = await api('map');
    // An area for every third document: many more names than there is room for.
    map.areas = map.x.flatMap((x, row) => (row % 3 ? [] : [{ topic: null, x, y: map.y[row], documents: map.documents, name: `of area, ${row}` }]));
    for (const [width, height] of [[1280, 900], [390, 780]]) {
      for (const address of ['#/map', '#/map?zoom=2.2', '#/map?zoom=7', `#/map?doc=${encodeURIComponent(example.id)}`, `#/map?text=${encodeURIComponent(sentence)}`]) {
        await newPage({ viewport: { width, height } });
        await page.route('**/api/v1/map', route => route.fulfill({ json: map }));
        await page.addInitScript(() => {
          const { clearRect, fillText } = CanvasRenderingContext2D.prototype;
          CanvasRenderingContext2D.prototype.clearRect = function (...all) {
            window.names_ = [];
            clearRect.apply(this, all);
          };
          CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
            const half = this.measureText(text).width / 2;
            window.names_.push({ text, left: x - half, right: x + half, top: y - 7, bottom: y + 7 });
            fillText.call(this, text, x, y);
          };
        });
        await page.addInitScript(noteMarks);
        await open(address);
        await waitForList();
        await page.waitForTimeout(700);
        const [names, covers, box] = await page.evaluate(() => {
          const { left, top, width, height } = document.querySelector('.over').getBoundingClientRect();
          const marks = [window.ring_, window.marker_].filter(Boolean).map(([x, y]) => ({ text: 'the mark', left: x - 9, right: x + 9, top: y - 9, bottom: y + 9 }));
          return [window.names_, [...marks, ...[...document.querySelectorAll('.tools, .chosen .inner')].map(e => e.getBoundingClientRect())
            .map(b => ({ text: 'what lies over the map', left: b.left - left, right: b.right - left, top: b.top - top, bottom: b.bottom - top }))], { width, height }];
        });
        assert.equal(covers.filter(one => one.text === 'the mark').length, /doc=|text=/.test(address) ? 1 : 0);
        assert.ok(names.length > 1, `${names.length} names at ${address}`);
        if (address.includes('zoom=7')) assert.ok(names.length > 5, `${names.length} names`);
        for (const [n, one] of names.entries()) {
          assert.ok(one.left >= 0 && one.right <= box.width && one.top >= -1 && one.bottom <= box.height + 1, `${one.text} is cut at ${address}, ${width}`);
          for (const other of [...names.slice(n + 1), ...covers]) {
            const over = one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
            assert.ok(!over, `${one.text} and ${other.text} at ${address}, ${width}`);
          }
        }
      }
    }
  });

  test('what a card is about is not beneath it, on a phone and wide', async () => {
    for (const [what, address] of [['ring', `#/map?doc=${encodeURIComponent(example.id)}`], ['marker', `#/map?text=${encodeURIComponent(sentence)}`]]) {
      for (const [width, height] of [[390, 780], [1280, 900]]) {
        await newPage({ viewport: { width, height } });
        await page.addInitScript(noteMarks);
        const seen = () => page.evaluate(name => {
          const { left, top } = document.querySelector('.over').getBoundingClientRect();
          const box = document.querySelector('.chosen .inner').getBoundingClientRect();
          const [x, y] = [window[`${name}_`][0] + left, window[`${name}_`][1] + top];
          return { right: box.left + box.width / 2 - x, down: box.top + box.height / 2 - y, covered: x > box.left - 9 && x < box.right + 9 && y > box.top - 9 && y < box.bottom + 9 };
        }, what);
        await open(address);
        await waitForList();
        await page.waitForTimeout(500);
        const first = await seen();
        assert.ok(!first.covered, `the ${what} is beneath its card at first, ${width}`);
        // Dragged beneath the card, it is beside it again after a reload, which opens the card anew.
        const canvas = await page.locator('.points').boundingBox();
        const [x, y] = [canvas.x + canvas.width / 2, canvas.y + 8];
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x + first.right, y + first.down, { steps: 4 });
        await page.mouse.up();
        await page.waitForTimeout(500);
        assert.ok((await seen()).covered, `the ${what} was dragged beneath its card, ${width}`);
        await page.reload();
        await waitForList();
        await page.waitForTimeout(500);
        assert.ok(!(await seen()).covered, `the ${what} is beneath its card after a reload, ${width}`);
      }
    }
  });

  test('zoom, move, colour and choice are in the address, and a reload restores them', async () => {
    await openMap();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.locator('.points').hover();
    await page.mouse.wheel(0, -200);
    await page.mouse.down();
    await page.mouse.move(700, 300, { steps: 5 });
    await page.mouse.up();
    if (info.labels > 0) await page.getByText('Labels', { exact: true }).first().click();
    const key = await showOneGroup();
    await until(() => /only=/.test(hash()) && /zoom=/.test(hash()), 'the address');
    await page.waitForTimeout(400);
    const [address, before] = [hash(), await listed()];
    assert.ok(Number(/zoom=([\d.]+)/.exec(address)[1]) > 1.5);
    await page.reload();
    await waitForList();
    await page.waitForTimeout(500);
    assert.equal(hash(), address);
    assert.ok(Math.abs((await listed()) - before) <= 1 + before / 500);
    assert.equal(await page.locator('.key[aria-pressed=true]').getAttribute('data-key'), key);
  });

  test('a zoom just before one goes on is there when one comes back', async () => {
    await openMap();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.evaluate(() => (location.hash = '#/topics'));
    await page.waitForSelector('.cards');
    await page.goBack();
    await waitForList();
    assert.match(hash(), /zoom=1\.5/);
  });

  test('an outline lists its documents', async () => {
    await openMap();
    const box = await page.locator('.points').boundingBox();
    const draw = async () => {
      for (let i = 0; i <= 24; i++) {
        const [x, y] = [box.x + box.width * (0.5 + 0.25 * Math.cos(i / 4)), box.y + box.height * (0.5 + 0.25 * Math.sin(i / 4))];
        await page.mouse.move(x, y);
        if (i === 0) await page.mouse.down();
      }
      await page.mouse.up();
    };
    await page.keyboard.down('Shift');
    await draw();
    await page.keyboard.up('Shift');
    await until(async () => (await text('#list-title')).includes('outline'), 'the list');
    const inside = await listed();
    assert.ok(inside > 0 && inside < info.documents, `${inside} documents`);
    await until(() => hash().includes('lasso='), 'the outline in the address');
    await page.reload();
    await until(async () => (await page.locator('#list-title').count()) > 0 && (await text('#list-title')).includes('outline'), 'the list again');
    assert.ok(Math.abs((await listed()) - inside) <= Math.max(5, inside * 0.05));
    await page.getByRole('button', { name: 'Remove the outline' }).click();
    await until(async () => (await listed()) > inside, 'the whole list');
    await page.getByRole('button', { name: 'Draw an outline' }).click();
    await draw();
    await until(async () => (await text('#list-title')).includes('outline'), 'the list by the button');
  });

  test('what could not be found out is told, and asked again', async () => {
    tolerate();
    await page.clock.install();
    await openMap();
    await page.route('**/api/**', route => route.abort());
    await page.locator('#map-find').fill(largest.words[0].word);
    const note = () => text('.in-view [role=status]');
    await until(async () => /does not answer.*again by itself/.test(await note()), 'why there are no hits');
    assert.equal(await text('#list-title'), `“${largest.words[0].word}”`);
    await page.unroute('**/api/**');
    await page.clock.fastForward(3000);
    await until(async () => /\d+ hits? for/.test(await text('#list-title')), 'hits, without a hand moved');
    await page.route('**/api/v1/documents?*', route => route.fulfill({ status: 503, json: { error: 'busy' } }));
    await page.locator('#map-find').fill('');
    await page.locator('.key').last().click();
    await until(async () => /^Busy\. It is asked again/.test(await note()), 'why nothing is listed');
    await page.unroute('**/api/v1/documents?*');
    await page.clock.fastForward(3000);
    await waitForList();
  });

  test('finding shows the hits', async () => {
    await openMap();
    await page.locator('#map-find').fill(largest.words[0].word);
    await until(async () => /\d+ hits? for/.test(await text('#list-title')), 'hits');
    assert.ok((await page.locator('.in-view tbody tr').count()) > 0);
    assert.ok((await text('.matched')).length > 0);
    const found = await text('#list-title');
    await until(() => hash().includes('q='), 'the words in the address');
    await page.reload();
    await waitForList();
    assert.equal(await text('#list-title'), found);
  });
});
