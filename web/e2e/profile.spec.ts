/** Where CPU time went: of a simulation by function, of a recording by who ran, and of two runs. */
import { expect, test } from './test.ts';

test('a flame graph is looked into by keys, and its table follows', async ({ app, page }) => {
  await app.open('#v=1&at=stage&trace=loopback');
  await page.getByRole('tab', { name: 'Profile' }).click();
  const panel = page.getByRole('tabpanel', { name: 'Profile' });
  await expect(panel).toContainText('tracepoints, no samples');
  const table = panel.getByRole('table', { name: 'What took the time' });
  await expect(table).toContainText('tsend');
  await expect(table).toContainText('NET_RX');
  await panel.getByRole('radio', { name: 'Each CPU' }).check();
  await panel.getByRole('button', { name: /^CPU 3: / }).focus();
  await page.keyboard.press('Enter');
  await expect(table).toContainText('trecv');
  await expect(table).not.toContainText('urecv');
  expect(await app.accessibilityProblems()).toEqual([]);
  await panel.getByRole('button', { name: 'Show the whole' }).click();
  await expect(table).toContainText('urecv');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: 'SVG' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('Profile.svg');
});

test('a simulation tells its functions, and beside a second run what each takes in both', async ({
  app,
  page,
}) => {
  await app.open('#v=1&at=lab');
  await page.getByRole('link', { name: 'A flood: dropped at the socket, or by XDP?' }).click();
  await app.region('What comes of it').getByRole('button', { name: 'Watch both' }).click();
  await expect(page.getByRole('application')).toHaveCount(2);
  // Two stages beside each other leave room for the panel on a wide screen alone.
  await page.setViewportSize({ width: 1920, height: 1000 });
  await page.getByRole('tab', { name: 'Profile' }).click();
  const panel = page.getByRole('tabpanel', { name: 'Profile' });
  const table = panel.getByRole('table', { name: 'What took the time' });
  await expect(table.getByRole('columnheader', { name: 'B less A' })).toBeVisible();
  await expect(table.getByRole('row', { name: /bpf_prog_run_xdp/ })).toContainText(
    /\d\s%\s*0\s%\s*-\d/,
  );
  await expect(page).toHaveURL(/panel=profile/);
  await page.getByRole('button', { name: 'Put the run beside this one away' }).click();
  await expect(table.getByRole('columnheader', { name: 'Calls' })).toBeVisible();
});
