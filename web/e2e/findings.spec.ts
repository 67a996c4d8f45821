/** What happens here, as a place with room, and the captions to read and to take away. */
import { readFileSync } from 'node:fs';
import { expect, test } from './test.ts';

test('what happens here has room, and its numbers are keys and flags', async ({ app, page }) => {
  await page.setViewportSize({ width: 1600, height: 900 });
  await app.open('#v=1&trace=udp-fragments&at=stage');
  const list = app.region('What happens here').getByRole('listitem');
  await expect(list).toHaveCount(9);
  const shown = await list.evaluateAll(
    (items) => items.filter((item) => item.getBoundingClientRect().bottom < 730).length,
  );
  expect(shown).toBeGreaterThanOrEqual(5);
  // What the card promises comes first.
  await expect(list.first()).toContainText('put together from 300 fragments');
  await page.keyboard.press('4');
  await app.control('Pause').click();
  await expect(list.nth(3).getByRole('button')).toHaveAttribute('aria-current', 'true');
  await expect(list.nth(3)).toContainText(/The longest wait: 4\.43/);
  await expect(app.flag(/^4 · The longest wait/)).toBeVisible();
});

test('captions are read as a list, gone to, and saved as WebVTT', async ({ app, page }) => {
  await app.open('#v=1&trace=udp-fragments&at=stage&panel=captions');
  const list = page.getByRole('grid', { name: 'Captions' });
  await expect(list.getByRole('row', { selected: true })).toContainText('We follow packet 113');
  const before = await app.moment().textContent();
  await list.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(app.moment()).not.toHaveText(before ?? '');
  await expect(list.getByRole('row', { selected: true })).toContainText(/^4:24/);
  expect(await list.getByRole('row').count()).toBeLessThan(40);
  const saving = page.waitForEvent('download');
  await app.button('Save captions (.vtt)').click();
  const file = await saving;
  expect(file.suggestedFilename()).toBe('UDP-datagrams-in-six-fragments.vtt');
  const text = readFileSync(await file.path(), 'utf8');
  expect(text).toMatch(/^WEBVTT UDP datagrams in six fragments\n\n00:00:/);
  expect(text.match(/ --> /g)?.length).toBeGreaterThan(200);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`each part beside the stage has no accessibility violation, ${colorScheme}`, async ({
    app,
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    await app.open('#v=1&trace=udp-fragments&at=stage');
    for (const part of ['What happens', 'Captions', 'Packets']) {
      await page.getByRole('tab', { name: part, exact: true }).click();
      await app.idle();
      expect(await app.accessibilityProblems()).toEqual([]);
    }
  });
}

test('a table is copied as CSV, all of it', async ({ app, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await app.open('#v=1&trace=udp-fragments&at=stage&panel=inspect');
  await app.button(/^Copy as CSV.*All packets/).click();
  await expect(page.getByText('300 rows copied')).toBeVisible();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text.trimEnd().split(/\r?\n/)).toHaveLength(301);
  expect(text).toMatch(/^packet,direction,flow,start_ns,/);
});
