/** The five views of one moment: by tab, key and link, in words, and without a violation. */
import { expect, test } from './test.ts';

const OVERFLOW = '#v=1&trace=socket-buffer-overflow&at=stage';

test('a view is chosen by tab and key, and is part of the link', async ({ app, page }) => {
  await app.open(OVERFLOW);
  const views = page.getByRole('tablist', { name: 'Views of this moment' });
  await expect(views.getByRole('tab', { name: 'The way' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await views.getByRole('tab', { name: 'Queues' }).click();
  await expect(page).toHaveURL(/view=queues/);
  await page.keyboard.press('v');
  await expect(views.getByRole('tab', { name: 'Caches' })).toHaveAttribute('aria-selected', 'true');
  // A recording has no lock events: no tab leads to an empty stage.
  await expect(views.getByRole('tab', { name: 'Locks' })).toHaveCount(0);
});

test('a recording says that its caches are inferred, and that it has no locks', async ({ app }) => {
  await app.open(`${OVERFLOW}&view=caches`);
  await expect(app.stageInWords()).toContainText('a recording sees no cache line');
  await app.open(`${OVERFLOW}&view=locks`);
  await expect(app.button('The stage alone')).toBeVisible();
});

for (const view of ['queues', 'caches', 'scheduler', 'locks']) {
  test(`the view ${view} has no accessibility violation, and its things are reached by keys`, async ({
    app,
    page,
  }) => {
    await app.open(`${OVERFLOW}&view=${view}`);
    expect(await app.accessibilityProblems()).toEqual([]);
    const stage = page.getByRole('application');
    await stage.focus();
    await stage.press('ArrowDown');
    await stage.press('ArrowRight');
    await expect(page.getByRole('tooltip')).toBeVisible();
  });
}
