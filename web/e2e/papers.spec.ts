/** The scoreboard: everything that was published, what an entry gives once it is run, and its scenario. */
import { readFile } from 'node:fs/promises';
import { expect, test } from './test.ts';

/** Two numbers, quickly run. */
const ID = 'ah.t6';

test('every study is there with its pinned numbers before anything is run', async ({ app }) => {
  await app.open('#v=1&at=papers');
  await expect(app.heading('Papers')).toBeVisible();
  await expect(app.place('Papers')).toHaveAttribute('aria-current', 'page');
  await expect(app.region('Totals')).toContainText(/0 of \d+.entries were run here/);
  await expect(app.region('Totals')).toContainText(/of [1-9]\d* predicted, inside.*?[1-9]\d*/i);
  await expect(app.region('Totals')).toContainText(/fitted, inside.*?[1-9]\d*/i);
  // A table is made once it is asked for: all of them are most of the page.
  const rows = app.entry(ID).locator('[role="row"]');
  await expect(rows).toHaveCount(0);
  await app.showNumbers(ID);
  await expect(rows).not.toHaveCount(0);
  await expect(app.entry(ID)).toContainText('7,000');
  await expect(app.entry(ID).getByRole('row').nth(1)).toContainText(/× \d+\.\d\d/);
  await expect(app.entry(ID).getByRole('row').nth(1)).toContainText(/inside|missed/);
  await expect(app.entry('ah.t1')).toBeVisible();
  await expect(app.entry('go.tcpudp')).toBeVisible();
  await expect(app.entry('br.rr')).toBeVisible();
  await expect(app.entry('wc.share')).toBeVisible();
});

test('a missed number shows what it would be with one thing otherwise', async ({ app }) => {
  await app.open('#v=1&at=papers');
  await app.showNumbers('ah.csumcopy');
  await expect(app.entry('ah.csumcopy').getByRole('row').nth(1)).toContainText(
    /missed.*If 2\.4\.17 has no prequeue.*\(× \d\.\d\d\), (inside|missed|undecided)/s,
  );
});

test('an entry is run, keeps its result, and its scenario opens in the Lab', async ({ app }) => {
  await app.open('#v=1&at=papers');
  await app.button(`Run here ${ID}`).click();
  await app.idle();
  await app.showNumbers(ID);
  const rows = app.entry(ID).getByRole('row');
  await expect(rows.nth(1)).toContainText(/× \d+\.\d\d ± \d+/);
  await expect(rows.nth(1)).toContainText(/inside|missed/);
  await expect(rows.nth(1)).toContainText(/given/);
  await expect(app.region('Totals')).toContainText(/1 of \d+.entries were run here/);

  await app.place('Recordings').click();
  await app.place('Papers').click();
  await expect(app.button(`Run again ${ID}`)).toBeVisible();
  await app.showNumbers(ID);
  await rows.nth(1).getByRole('link', { name: 'Open in the Lab' }).click();
  await expect(app.heading('Lab')).toBeVisible();
  await expect(app.field('Machine')).not.toHaveAttribute('aria-invalid');
});

test('a study’s figure is drawn again and kept, and its numbers are copied', async ({
  app,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await app.open('#v=1&at=papers');
  const entry = app.entry('ah.fig7');
  await expect(entry.getByText('modelled, with its interval')).toBeVisible();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    entry.getByRole('button', { name: 'SVG' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('ah.fig7.svg');
  const text = (await readFile(await file.path())).toString();
  for (const said of ['2 NICs', 'Mbit/s', 'Published: ', 'Figure 7']) expect(text).toContain(said);
  await app.showNumbers('ah.fig7');
  await entry.getByRole('button', { name: 'Copy as CSV' }).click();
  await expect(entry.getByRole('status')).toContainText('3 ');
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain('ah.fig7,1 NIC,Mbit/s,604,');
});

test('running all can be stopped, and what is done stays', async ({ app }) => {
  await app.open('#v=1&at=papers');
  await app.button('Run all here').click();
  await expect(app.region('Totals')).toContainText(/Running .*, (?!1 of)\d+ of/);
  await app.button('Stop').click();
  await app.idle();
  await expect(app.region('Totals')).toContainText(/[1-9]\d* of \d+.entries were run here/);
  await expect(app.button('Run the rest')).toBeVisible();
});

for (const [width, colorScheme] of [
  [1280, 'light'],
  [1600, 'dark'],
  [400, 'light'],
] as const) {
  test(`the scoreboard has no accessibility violation, ${width} px, ${colorScheme}`, async ({
    app,
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await app.open('#v=1&at=papers');
    await app.showNumbers(ID);
    // All studies look alike, and the whole page is more than axe gets through in time.
    expect(await app.accessibilityProblems('main > div > :nth-child(-n + 3)')).toEqual([]);
    // What was chosen for a number is the longest that is said beside one.
    await app.showNumbers('ba.t3');
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(width);
  });
}
