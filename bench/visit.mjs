// Opens pages for the benchmarks: reads "ADDRESS SELECTOR" line by line, and prints the seconds until the page shows what the selector finds.
// With a third word, a number, it then zooms the map for so many seconds and prints frames per second in its place.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const { chromium } = createRequire(`${process.cwd()}/`)('playwright-core');
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });

/** Frames per second while the wheel turns, in and out. */
async function zoom(page, seconds) {
  await page.waitForTimeout(1500); // names appear
  const box = await page.locator('.points').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const frames = page.evaluate(time => new Promise(done => {
    const times = [];
    const next = now => {
      times.push(now);
      if (now - times[0] < 1000 * time) requestAnimationFrame(next);
      else done(times);
    };
    requestAnimationFrame(next);
  }), seconds);
  const end = Date.now() + 1000 * seconds;
  for (let n = 0; Date.now() < end; n++) {
    await page.mouse.wheel(0, n % 60 < 30 ? -40 : 40);
    await page.waitForTimeout(16);
  }
  const times = await frames;
  return (1000 * (times.length - 1)) / (times.at(-1) - times[0]);
}

console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const [, address, selector, , seconds] = /^(\S+) (.*?)( (\d+))?$/.exec(line);
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const begun = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForSelector(selector, { timeout: 60000 });
  console.log(seconds ? await zoom(page, Number(seconds)) : (performance.now() - begun) / 1000);
  await context.close();
}
await browser.close();
