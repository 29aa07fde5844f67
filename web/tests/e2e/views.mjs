// What holds for every view: it fits a phone, anyone can use it, and it is quick.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import { newPage, open, openMap, page, tolerate, waitForLinks, waitForList } from './browser.mjs';
import { at, example, info, largest, sentence, views } from './server.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Opens a view and waits until it shows all it has. */
async function openView(name) {
  await open(views[name]);
  if (name === 'map') await waitForList();
  if (name === 'write') await waitForLinks();
}

async function findNothing(name) {
  await page.evaluate(axe);
  const { violations, passes } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  assert.ok(passes.length > 10);
  assert.deepEqual(violations.map(v => `${name}: ${v.id}: ${v.nodes[0].html} ${v.nodes[0].failureSummary}`), []);
}

/** What a view shows when something is chosen, open or amiss. */
const opens = (name, shown) => async () => {
  await page.getByRole('button', { name }).first().click();
  await page.waitForSelector(shown);
};
const states = {
  'a text on the map': { at: `#/map?text=${encodeURIComponent(sentence)}`, until: () => page.waitForSelector('.chosen .inner') },
  'a document on the map': { at: `#/map?doc=${encodeURIComponent(example.id)}&colour=links`, until: () => page.waitForSelector('.chosen .title') },
  'a topic that stands out, still under the pointer': { at: '#/map', until: async () => {
    await page.locator('.legend .key').first().click();
    await page.locator('.key[aria-pressed=true]').hover();
  } },
  'hits': { at: '#/topics', until: async () => {
    await page.locator('#q').fill(largest.words[0].word);
    await page.waitForSelector('.hits li a');
  } },
  'the tour': { at: '#/write', until: opens('Take a short tour', '.tour .main') },
  'little text': { at: `#/write?text=${encodeURIComponent(largest.words[0].word)}`, until: () => page.waitForSelector('.doubts:not([hidden])') },
  'an empty comparison': { at: '#/compare', until: () => page.waitForSelector('textarea') },
  ...(info.renaming && { 'another name': { at: `#/topic/${largest.topic}`, until: opens('Rename', '.renaming:not([hidden])') } }),
};

describe('every view', () => {
  test('a phone has no sideways scroll', async () => {
    for (const width of [360, 390, 768]) {
      await newPage({ viewport: { width, height: 780 } });
      for (const name of Object.keys(views)) {
        await openView(name);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= width, `${name} is ${wide} wide at ${width}`);
      }
    }
  });

  for (const colorScheme of ['light', 'dark']) {
    test(`axe finds nothing wrong, ${colorScheme}`, async () => {
      await newPage({ colorScheme, reducedMotion: 'reduce' });
      for (const name of [...Object.keys(views), ...Object.keys(states)]) {
        await open('#/nowhere');
        await page.evaluate(() => sessionStorage.clear());
        if (name in states) {
          await open(states[name].at);
          await states[name].until();
        } else {
          await openView(name);
        }
        if (name === 'write') await page.locator('.results .links > li').first().hover();
        if (name === 'document') {
          await page.locator('.why').first().click();
          await page.waitForSelector('.reason .pair');
          if (info.feedback) await page.locator('.judge button[title=Reject]').first().click();
          if (info.feedback) await page.waitForSelector('.rejected');
        }
        await findNothing(name);
        if (name === 'document' && info.feedback) await page.locator('.rejected .judge button').first().click();
      }
    });
  }

  test('axe finds nothing wrong where there is nothing', async () => {
    tolerate();
    for (const colorScheme of ['light', 'dark']) {
      await newPage({ colorScheme, reducedMotion: 'reduce' });
      await open(at('no such document'));
      await findNothing('nothing there');
    }
  });

  test('paints, and the map moves; how fast is told', async t => {
    await open('#/write');
    const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime);
    await openMap();
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
    t.diagnostic(`first paint after ${Math.round(paint)} ms; ${frames.toFixed(0)} frames per second while the map of ${info.documents} documents moves (software rendering)`);
    assert.ok(paint > 0 && frames > 0);
  });
});
