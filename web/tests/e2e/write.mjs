// Writing a text: what it gets while it is typed.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hash, markedWords, newPage, open, page, text, tolerate, until, waitForLinks, waitForList, written } from './browser.mjs';
import { base, info, largest, sentence } from './server.mjs';

describe('write', () => {
  test('a typed text gets tags, links, reasons and coloured words', async () => {
    await open('#/write');
    await page.locator('#text').pressSequentially(sentence, { delay: 5 });
    await waitForLinks();
    await until(async () => (await markedWords('topic')).length >= 2, 'coloured words');
    await until(() => page.locator('.doubts').isHidden(), 'the answer to the whole of it');
    assert.ok((await page.locator('.linking .pair').count()) > 0, 'links have reasons');
    assert.ok((await page.locator('.linking .voters a').count()) > 0, 'and say who links there');
    assert.match(await page.locator('.linking .score-parts').first().getAttribute('aria-label'), /words that both have \d/);
    if (info.labels > 0) assert.match(await text('.results .bars .own'), /for it: |against: /);
    if (info.labels > 0) assert.match(await text('.results .bars .value'), /%/);
    assert.match(await page.locator('.write [role=status]').textContent(), /to link to/);
  });

  test('marks are on their words, whatever the text and the width', async () => {
    const known = largest.words.slice(0, 3).map(w => w.word);
    const hard = `   The Space ${known[0]} Columbia takes off\ton a manned ${known[1]} to space.\n\n  ${known[2]}${'x'.repeat(200)} ${known[0]} – ${known[1]}\n`;
    for (const width of [1440, 390]) {
      await newPage({ viewport: { width, height: 900 } });
      await open('#/write');
      await page.locator('#text').fill(hard);
      await until(async () => (await markedWords('topic')).length >= 2, 'coloured words');
      const words = await markedWords('topic');
      assert.ok(words.every(w => known.includes(w)), words.join());
      const [outside, copies] = await page.evaluate(() => {
        const box = document.querySelector('#text').getBoundingClientRect();
        const rects = [...CSS.highlights].filter(([name]) => name.startsWith('topic')).flatMap(([, all]) => [...all].flatMap(r => [...r.getClientRects()]));
        return [rects.filter(r => r.left < box.left || r.right > box.right || r.width === 0).length, document.querySelectorAll('textarea, .backdrop').length];
      });
      assert.deepEqual([outside, copies], [0, 0]);
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width);
    }
  });

  test('line ends, pasted markup and undo stay plain text', async () => {
    await open('#/write');
    await page.locator('#text').focus();
    await page.keyboard.type('one');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.type('two');
    await page.keyboard.press('Enter');
    await until(() => hash() === '#/write?text=one\n\ntwo\n', 'all line ends');
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData('text/html', '<b>three</b>');
      data.setData('text/plain', 'three');
      document.querySelector('#text').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    });
    assert.equal(await page.locator('#text b').count(), 0);
    await page.keyboard.type('more');
    await until(() => hash().endsWith('two\nmore'), 'the last line');
    await page.reload();
    await until(async () => (await written()) === 'one\n\ntwo\nmore', 'the same text');
  });

  test('a text that goes from right to left begins at the right', async () => {
    await open('#/write');
    await page.locator('#text').fill('مدينة على البحر');
    const [letter, box] = await page.locator('#text').evaluate(e => {
      const range = document.createRange();
      range.setStart(e.firstChild, 0);
      range.setEnd(e.firstChild, 1);
      return [range.getBoundingClientRect().left, e.getBoundingClientRect()];
    });
    assert.ok(letter > box.x + box.width / 2);
  });

  test('a server that wants fewer requests is asked again by itself', async () => {
    tolerate();
    await open('#/write');
    await page.route('**/api/v1/suggest', route => route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, json: { error: 'too many requests of one client' } }), { times: 1 });
    await page.locator('#text').fill(sentence);
    await waitForLinks();
    assert.ok(await page.locator('.unanswered').isHidden());
  });

  test('a server that stops is told of, and asked again by itself', async () => {
    tolerate();
    await open('#/write');
    await page.locator('#text').fill(sentence);
    await waitForLinks();
    await page.route('**/api/**', route => route.abort());
    await page.locator('#text').fill(`${sentence} More.`);
    await until(async () => /does not answer.*again by itself.*earlier text/.test(await text('.unanswered')), 'what is amiss');
    assert.ok(await page.locator('.results.stale').count());
    await page.unroute('**/api/**');
    await until(async () => (await page.locator('.results:not(.stale)').count()) > 0 && page.locator('.unanswered').isHidden(), 'answers without a hand moved');
  });

  test('a view that could not be left works on, is not taken away by itself, and where one wanted to go is offered', async () => {
    tolerate();
    await page.clock.install();
    await open('#/write');
    await page.locator('#text').fill('One');
    await until(() => hash() === '#/write?text=One', 'the address');
    await page.route('**/api/v1/map', route => route.abort());
    await page.locator('#nav a').nth(1).click();
    await page.waitForSelector('.trouble:not([hidden])');
    await page.locator('#text').fill(sentence);
    await waitForLinks();
    await page.unroute('**/api/v1/map');
    await until(() => hash() === `#/write?text=${sentence}`, 'the address of what is seen');
    await page.clock.fastForward(5000);
    await page.waitForTimeout(200);
    assert.equal(await written(), sentence);
    await page.getByRole('link', { name: 'Go to Map' }).click();
    await waitForList();
    assert.ok(await page.locator('.trouble').isHidden());
    await page.goBack();
    await until(async () => (await written().catch(() => '')) === sentence, 'what was written');
  });

  test('nobody who leaves at once loses the last words, long or short', async () => {
    await open('#/write');
    for (const first of ['One.', `${sentence} `.repeat(60)]) {
      await page.locator('#text').fill(first);
      await page.waitForTimeout(400);
      await page.locator('#text').fill(`${first} And more.`);
      await page.evaluate(() => (location.hash = '#/topics'));
      await page.waitForSelector('.cards');
      await page.goBack();
      await until(async () => (await written().catch(() => '')) === `${first} And more.`, 'all of it');
      await page.locator('#nav a').nth(2).click();
      await page.waitForSelector('.cards');
      await page.locator('#nav a').first().click();
      await until(async () => (await written().catch(() => '')) === `${first} And more.`, 'all of it, under Write too');
    }
  });

  test('pointing at a link shows its words in the text; undo still works', async () => {
    await open('#/write');
    await page.locator('#text').fill(sentence);
    await waitForLinks();
    assert.deepEqual(await markedWords('meant'), []);
    await page.locator('.results .links > li').first().hover();
    assert.ok((await markedWords('meant')).length > 0);
    await page.mouse.move(5, 5);
    assert.deepEqual(await markedWords('meant'), []);
    await page.locator('.results .links > li a').first().focus();
    assert.ok((await markedWords('meant')).length > 0);
    await page.locator('#text').focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' xyz');
    await page.keyboard.press('Control+z');
    assert.ok(!(await written()).endsWith('xyz'));
  });

  test('a text has a place on the map, there and on the large one, with lines to its suggestions', async () => {
    await open('#/write');
    await page.locator('#text').fill(sentence);
    await until(async () => Number(await page.locator('.where .over').getAttribute('data-lines').catch(() => 0)) > 2, 'lines');
    await page.getByRole('link', { name: 'Open on the map' }).click();
    await waitForList();
    await until(async () => (await page.locator('.over').getAttribute('data-lines')) === '10', 'the same lines');
    assert.match(await text('.chosen'), /Your text/);
    await page.reload();
    await page.getByRole('link', { name: 'Write on' }).click();
    await until(async () => (await written().catch(() => '')) === sentence, 'the text again');
    const long = `${sentence} `.repeat(60);
    await page.locator('#text').fill(long);
    const link = page.getByRole('link', { name: 'Open on the map' });
    await until(async () => /draft/.test((await link.getAttribute('href')) ?? ''), 'the map of the long text');
    await link.click();
    await waitForList();
    await page.reload();
    await waitForList();
    await until(async () => (await page.locator('.over').getAttribute('data-lines')) === '10', 'its lines');
    await page.getByRole('link', { name: 'Write on' }).click();
    await until(async () => (await written().catch(() => '')) === long, 'the long text again');
  });

  test('there are more suggestions, and one can be taken along in four forms', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await open('#/write');
    await page.locator('#text').fill(sentence);
    await waitForLinks();
    assert.equal(await page.locator('.linking .links > li').count(), 6);
    await page.getByRole('button', { name: /^Show \d+ more$/ }).click();
    assert.ok((await page.locator('.linking .links > li').count()) > 6);
    const { links: [first] } = await (await fetch(`${base}/api/v1/suggest`, { method: 'POST', body: JSON.stringify({ text: sentence, k: 20 }) })).json();
    const address = `${base}/#/document/${encodeURIComponent(first.id)}`;
    for (const [form, copied] of [['wiki', `[[${first.title}]]`], ['markdown', `[${first.title}](${address})`], ['id', first.id], ['url', address]]) {
      await page.locator('.linking select').selectOption(form);
      await page.locator('.linking .copy').first().click();
      await until(async () => (await page.evaluate(() => navigator.clipboard.readText())) === copied, copied);
    }
  });

  test('the words of the last link are seen while one points at it', async () => {
    await open('#/write');
    await page.locator('#text').fill(sentence);
    await waitForLinks();
    await page.getByRole('button', { name: /^Show \d+ more$/ }).click();
    await page.locator('.linking .links > li').last().hover();
    const seen = await page.evaluate(() => [...CSS.highlights.get('meant') ?? []].some(r => r.getBoundingClientRect().top > 0 && r.getBoundingClientRect().bottom < innerHeight));
    assert.ok(seen);
  });

  test('many tags leave the links in view; on a phone the words of a link are seen while it has the focus', async () => {
    for (const [width, height, screens] of [[1440, 900, 1], [390, 780, 2]]) {
      await newPage({ viewport: { width, height } });
      await page.route('**/api/v1/suggest', async route => {
        const found = await (await route.fetch()).json();
        const labels = Array.from({ length: 18 }, (_, n) => ({ label: `tag ${n}`, probability: 0.9 / (n + 1), words: [{ word: 'something', part: 1 }, { word: 'other', part: -1 }] }));
        await route.fulfill({ json: { ...found, doubts: [], labels } });
      });
      await open(`#/write?text=${encodeURIComponent(sentence)}`);
      await waitForLinks();
      const first = page.locator('.linking .links > li .title').first();
      assert.ok(await first.evaluate((e, most) => e.getBoundingClientRect().bottom + scrollY < most, height * screens), `${width}`);
      await page.locator('.linking .links > li a.title').last().focus();
      const seen = await page.evaluate(() => {
        const boxes = [...[...CSS.highlights.get('meant') ?? []].map(r => r.getBoundingClientRect()), ...[...document.querySelectorAll('.glance b')].map(b => b.getBoundingClientRect())];
        return boxes.some(b => b.width > 0 && b.top >= 0 && b.bottom <= innerHeight);
      });
      assert.ok(seen, `the words of the sixth link, ${width}`);
    }
    await page.locator('#text').focus();
    assert.ok(await page.locator('.glance').isHidden());
    assert.equal(await page.locator('.results .tag').count(), 4);
    await page.getByRole('button', { name: 'Show 14 more tags' }).click();
    assert.equal(await page.locator('.results .tag').count(), 18);
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'tag 4');
  });

  test('a long text scrolls to the words of what one points at, and the page stays', async () => {
    const filler = 'It is so, as we all have been told before.\n'.repeat(40);
    await open('#/write');
    await page.locator('#text').fill(`${sentence}\n${filler}`);
    await page.locator('#text').evaluate(e => (e.scrollTop = e.scrollHeight));
    await waitForLinks();
    const seen = () => page.evaluate(() => {
      const box = document.querySelector('#text').getBoundingClientRect();
      return [...CSS.highlights.get('meant') ?? []].map(r => r.getBoundingClientRect()).filter(r => r.top >= box.top && r.bottom <= box.bottom).length;
    });
    const link = page.locator('.linking .links > li').nth(3);
    await link.scrollIntoViewIfNeeded();
    const scrolled = await page.evaluate(() => scrollY);
    await link.hover();
    assert.ok((await seen()) > 0);
    assert.equal(await page.evaluate(() => scrollY), scrolled);
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
    assert.equal(await written(), sentence);
    assert.equal(await text('.results .links > li a'), first);
    const long = `${sentence} `.repeat(60);
    await page.locator('#text').fill(long);
    await until(() => hash() === '#/write', 'an address without the text');
    await page.reload();
    await waitForLinks();
    assert.equal(await written(), long);
  });

  test('a text of a word or two is told to be little', async () => {
    await open('#/write');
    await page.locator('#text').fill(largest.words[0].word);
    await waitForLinks();
    assert.match(await text('.doubts'), /Low confidence: .*only 1 of its words is known/);
    if (info.labels > 0) assert.equal(await text('.results .bars .value'), 'perhaps');
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
