// The page in a browser, new for each test, and how a test looks at it. A test fails if the page complains, unless it tolerates that.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach } from 'node:test';
import { chromium } from 'playwright-core';
import { base } from './server.mjs';

export let page;
let browser, context, complaints, tolerant;

export async function open(hash) {
  await page.goto('about:blank');
  await page.goto(`${base}/${hash}`);
  await page.waitForSelector('main h1');
}
export const text = selector => page.locator(selector).first().innerText();
export const hash = () => decodeURIComponent(new URL(page.url()).hash);

export async function openMap() {
  await open('#/map');
  await waitForList();
}

/** The documents in view on the map are listed. */
export const waitForList = () => page.waitForSelector('.in-view tbody tr');
/** How many documents the list below the map is of. */
export const listed = async () => Number(/[\d,]+/.exec(await text('#list-title'))?.[0].replaceAll(',', ''));

/** A place on the canvas with a document under it; the more `from`, up to 900, the farther from the middle. */
export async function findPoint(from = 0) {
  const box = await page.locator('.points').boundingBox();
  for (let i = from; i < 900; i++) {
    const [r, a] = [Math.sqrt(i / 900) * 0.42, i * 2.4];
    const [x, y] = [box.x + box.width * (0.5 + r * Math.cos(a)), box.y + box.height * (0.5 + r * Math.sin(a))];
    await page.mouse.move(x, y);
    if (await page.locator('.points.over-point').count()) return [x, y];
  }
  return assert.fail('no point on the map');
}

/** Documents to link the text to are shown. */
export const waitForLinks = () => page.waitForSelector('.results .links > li');

/** The text that is being written. */
export const written = () => page.locator('#text').evaluate(e => e.textContent.replace(/\n$/, ''));
/** The words of the text that carry marks whose look begins so. */
export const markedWords = look => page.evaluate(beginning => [...CSS.highlights].filter(([name]) => name.startsWith(beginning)).flatMap(([, all]) => [...all].map(String)), look);

/** Waits until a check passes, as a reader would. */
export async function until(check, what) {
  const end = Date.now() + 10000;
  for (;;) {
    if (await check()) return;
    if (Date.now() > end) assert.fail(`never came: ${what}`);
    await page.waitForTimeout(50);
  }
}

/** In place of the page there is, with options of the browser's context. */
export async function newPage(options = {}) {
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

/** The test makes trouble that the page may complain of. */
export const tolerate = () => {
  tolerant = true;
};

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
afterEach(async () => {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  if (!tolerant) assert.deepEqual(complaints, []);
});
