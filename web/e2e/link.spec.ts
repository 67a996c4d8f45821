/** Links: what was seen is seen again; a broken or hostile link still opens something sensible. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './test.ts';

const loopback = readFileSync(join(import.meta.dirname, '../../traces/loopback/trace.txt.gz'));
const shown = '#v=1&trace=loopback&at=stage&t=195000000&speed=20000&pace=true&packet=3';

test('a link opens exactly what was seen, and stays as it is', async ({ app, page }) => {
  await app.open(shown);
  await expect(app.moment()).toHaveText(/195\.000.000.ms/);
  await expect(app.scale()).toHaveText(/20.µs/);
  expect(new URL(page.url()).hash).toBe(shown);
});

test('the address follows what is done, and going back returns to it', async ({ app, page }) => {
  await app.open();
  await app.openRecording('Loopback');
  await app.slider().press('ArrowRight');
  await expect(page).toHaveURL(/trace=loopback&at=stage&t=\d+/);
  await app.place('Recordings').click();
  await expect(app.heading('Recordings')).toBeVisible();
  await page.goBack();
  await expect(app.transport()).toBeVisible();
  await page.goBack();
  await expect(app.heading('Recordings')).toBeVisible();
});

test('broken parts of a link are left out and told', async ({ app }) => {
  await app.open('#v=1&trace=loopback&at=stage&t=soon&zoom=9-3&packet=99999999');
  await expect(app.transport()).toBeVisible();
  await expect(app.notice()).toContainText('time was left out: “soon”');
  await expect(app.notice()).toContainText('zoom was left out');
  await expect(app.notice()).toContainText('packet is not in the trace');
});

for (const hostile of [
  '#v=1&trace=__proto__&at=stage',
  '#v=1&trace=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E',
  '#v=999&trace=loopback',
  `#v=1&trace=${'x'.repeat(5000)}`,
  '#%E0%A4%A&&&===',
]) {
  test(`a hostile link degrades to the shelf: ${hostile.slice(0, 40)}`, async ({ app }) => {
    await app.open(hostile);
    await expect(app.heading('Recordings')).toBeVisible();
    await expect(app.notice()).toBeVisible();
  });
}

test('a link to a file of one’s own waits for the file', async ({ app, page }) => {
  await app.open();
  await app.drop([{ name: 'mine.txt.gz', bytes: loopback }]);
  await app.slider().press('ArrowRight');
  await app.idle();
  const moment = await app.moment().textContent();
  const link = new URL(page.url()).hash;

  await page.goto('about:blank');
  await app.open(link);
  await expect(page.getByText('This link shows a file')).toBeVisible();
  await app.drop([{ name: 'again.txt.gz', bytes: loopback }]);
  await expect(app.moment()).toHaveText(moment ?? '');
});

for (const [width, height] of [
  [1350, 940],
  [412, 823],
] as const) {
  test(`nothing jumps while a link opens its run, ${width} wide`, async ({ page, app }) => {
    await page.setViewportSize({ width, height });
    await page.addInitScript(() => {
      const shifts: number[] = ((window as { shifts?: number[] }).shifts = []);
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          shifts.push((entry as { value?: number }).value ?? 0);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await app.open('#v=1&trace=udp-fragments&at=stage');
    await expect(app.transport()).toBeVisible();
    const shifts = await page.evaluate(() => (window as { shifts?: number[] }).shifts ?? []);
    expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.02);
  });
}
