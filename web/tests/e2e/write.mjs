// Writing a text: what it gets while it is typed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hash, open, page, text, until, waitForLinks } from './browser.mjs';
import { info, largest, sentence } from './server.mjs';

describe('write', () => {
  test('a typed text gets tags, links, reasons and coloured words', async () => {
    await open('#/write');
    await page.locator('#text').pressSequentially(sentence, { delay: 5 });
    await waitForLinks();
    await until(async () => (await page.locator('.backdrop mark[class*=c]').count()) >= 3, 'coloured words');
    assert.ok((await page.locator('.linking .pair').count()) > 0, 'links have reasons');
    assert.ok((await page.locator('.linking .voters a').count()) > 0, 'and say who links there');
    assert.match(await page.locator('.linking .score-parts').first().getAttribute('aria-label'), /words that both have \d/);
    if (info.labels > 0) assert.match(await text('.results .bars .own'), /for it: |against: /);
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
    await waitForLinks();
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
      await route.fulfill({ json: { labels: [{ label: `for ${asked.length}`, probability: 0.5, words: [] }], doubts: [], links: [{ id: 'x', title: 'x', score: 1, parts: { words: 1, space: 0, votes: 0 }, topics: [], words: [], pairs: [], reasons: [], voters: [] }] } });
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
    await waitForLinks();
    const first = await text('.results .links > li a');
    await page.reload();
    await waitForLinks();
    assert.equal(await page.locator('#text').inputValue(), sentence);
    assert.equal(await text('.results .links > li a'), first);
    const long = `${sentence} `.repeat(60);
    await page.locator('#text').fill(long);
    await until(() => hash() === '#/write', 'an address without the text');
    await page.reload();
    await waitForLinks();
    assert.equal(await page.locator('#text').inputValue(), long);
  });

  test('a text of a word or two is told to be little', async () => {
    await open('#/write');
    await page.locator('#text').fill(largest.words[0].word);
    await waitForLinks();
    assert.match(await text('.doubts'), /only 1 of its words is known/);
    await page.locator('#text').fill(sentence);
    await until(() => page.locator('.doubts').isHidden(), 'no doubt');
  });

  test('an empty box offers examples, and words nobody knows are said to be so', async () => {
    await open('#/write');
    await page.locator('.example').first().click();
    await waitForLinks();
    await page.locator('#text').fill('qqzzx wwvvk');
    await until(async () => (await page.locator('.page').innerText()).includes('knows none'), 'the hint');
    await page.getByRole('button', { name: 'Clear' }).click();
    assert.ok(await page.locator('.example').first().isVisible());
  });
});
