/** The Lab: machine files of one's own. */
import { expect, test } from './test.ts';

test('a machine file of one’s own becomes a machine of the list, and stays', async ({
  app,
  page,
}) => {
  await app.open('#v=1&at=lab');
  const file = (text: string) => ({
    name: 'my-host.json',
    mimeType: 'application/json',
    buffer: Buffer.from(text),
  });
  const picker = page.getByLabel('Machine file', { exact: true });
  const mine = {
    name: 'my-host',
    title: 'My own host',
    about: 'Mine.',
    based_on: 'current-server',
  };
  await picker.setInputFiles(file(JSON.stringify({ ...mine, cache: { cold: 1 }, sources: {} })));
  await expect(page.getByRole('alert')).toContainText(
    'data/machines/my-host.json: cache.cold: unknown field',
  );

  await picker.setInputFiles(file(JSON.stringify({ ...mine, sources: {} })));
  await expect(app.field('Machine')).toHaveValue('my-host');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await app.field('Duration, ms').fill('2');
  await app.field('Warm-up, ms').fill('');
  // What was wrong with the warm-up goes away as the button is pressed, which stays under the pointer.
  await app.form().getByRole('button', { name: 'Run', exact: true }).click();
  await expect(app.transport()).toBeVisible();
  await app.idle();

  await page.reload();
  await app.open('#v=1&at=lab');
  await expect(app.field('Machine').getByRole('option', { name: 'My own host' })).toBeAttached();
  await app.button('Forget my-host').click();
  await expect(app.field('Machine').getByRole('option', { name: 'My own host' })).toHaveCount(0);
});

test('a machine’s long name makes no page wider, and stands whole in the title', async ({
  app,
  page,
}) => {
  for (const width of [1400, 400]) {
    await page.setViewportSize({ width, height: 800 });
    await app.open('#v=1&at=lab');
    const name = 'x'.repeat(width);
    const mine = { name, title: 'Mine', about: 'Mine.', based_on: 'current-server', sources: {} };
    const file = { name: 'm.json', mimeType: 'application/json' };
    const buffer = Buffer.from(JSON.stringify(mine));
    await page.getByLabel('Machine file', { exact: true }).setInputFiles({ ...file, buffer });
    await expect(page.getByTitle(`Forget ${name}`)).toBeVisible();
    await app.idle();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(width);
    await app.button(`Forget ${name}`).click();
    await expect(page.getByTitle(`Forget ${name}`)).toHaveCount(0);
  }
});
