/** "Checked against known laws": each law with what came out, and one of its scenarios as a run. */
import { readFile } from 'node:fs/promises';
import { expect, test } from './test.ts';

test('the Papers lead to the laws, and one of their scenarios is opened as a run', async ({
  app,
}) => {
  await app.open('#v=1&at=papers');
  await app.button('Checked against known laws').click();
  await app.idle();
  await expect(app.heading('Checked against known laws')).toBeVisible();
  await expect(app.place('Papers')).toHaveAttribute('aria-current', 'page');
  await expect(app.page.getByRole('article')).toHaveCount(8);
  await expect(app.page.getByText('simulated, logarithmic').first()).toBeAttached();
  const little = app.page.getByRole('article', { name: 'Little’s law' });
  await expect(little).toContainText(/\d+ scenarios, \d+ numbers.*median 1\.000/);
  await little.getByText(/The 8 furthest off/).click();
  await little.getByRole('link', { name: 'Open as a run' }).first().click();
  await expect(app.transport()).toBeVisible();
  await app.idle();
  await app.button('Not modelled').click();
  await app.button('Checked against known laws').click();
  await expect(app.heading('Checked against known laws')).toBeVisible();
});

test('receive livelock is said of the host whose driver does not poll', async ({ app }) => {
  await app.open('#v=1&at=laws');
  const livelock = app.page.getByRole('article', { name: 'Receive livelock' });
  await expect(livelock).toContainText(/does not hold/);
  await livelock.getByText(/The 8 furthest off/).click();
  await expect(livelock.getByRole('row').nth(1)).toContainText(/0\.[01]\d\d/);
});

test('the picture of a law is kept with its formula, its axes and its source', async ({
  app,
  page,
}) => {
  await app.open('#v=1&at=laws');
  const little = page.getByRole('article', { name: 'Little’s law' });
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    little.getByRole('button', { name: 'SVG' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('little.svg');
  const text = (await readFile(await file.path())).toString();
  for (const said of ['L = λ · W', 'Little, A Proof', 'Diamond:']) {
    expect(text).toContain(said);
  }
  expect(text).not.toContain('var(');
});

for (const [width, colorScheme] of [
  [1280, 'light'],
  [1600, 'dark'],
  [400, 'light'],
] as const) {
  test(`the laws have no accessibility violation, ${width} px, ${colorScheme}`, async ({
    app,
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await app.open('#v=1&at=laws');
    await app.page
      .getByText(/The 8 furthest off/)
      .first()
      .click();
    expect(await app.accessibilityProblems('main')).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(width);
  });
}
