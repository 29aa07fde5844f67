// A picture of what an address shows: node picture.mjs ADDRESS FILE WIDTH HEIGHT
import { chromium } from 'playwright-core';

const [address, file, width, height] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: Number(width), height: Number(height) }, deviceScaleFactor: 2, colorScheme: 'light' });
await page.goto(address, { waitUntil: 'networkidle' });
await page.waitForTimeout(1000);
await page.screenshot({ path: file });
await browser.close();
