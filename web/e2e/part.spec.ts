/** A file that would not fit into memory: said before it is spent, and opened in part. */
import { expect, test } from './test.ts';

/** Four CPUs in turn, a microsecond apart. */
const TRACE = `# tracer: nop\n${Array.from(
  { length: 400 },
  (_, at) =>
    `          <idle>-0       [00${at % 4}] ..s1.  100.${String(at).padStart(6, '0')}: netif_receive_skb: dev=eth0 skbaddr=ffff8880090${String(at).padStart(3, '0')}00 len=52\n`,
).join('')}`;
const FILE = { name: 'large.txt', bytes: Buffer.from(TRACE) };

test.beforeEach(async ({ page }) => {
  // A device of 64 kB: what the browser says of its memory is what the page goes by.
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'deviceMemory', { get: () => 2 ** -14 });
  });
});

test('one CPU of it is opened, and said for as long as it is there', async ({ app, page }) => {
  await app.open();
  await app.drop([FILE]);
  const dialog = app.dialog('More than fits into memory');
  await expect(dialog).toContainText('large.txt has about 400 events');
  expect(await app.accessibilityProblems()).toEqual([]);
  await expect(dialog.getByRole('button', { name: 'Open this part' })).toBeDisabled();
  await dialog.getByRole('combobox').selectOption('CPU 3');
  await expect(dialog.getByRole('status')).toContainText('needs about 16');
  await dialog.getByRole('button', { name: 'Open this part' }).click();
  await expect(page).toHaveTitle('large.txt · Ringside');
  await app.idle();
  const label = page.getByRole('note').filter({ hasText: 'Opened in part' });
  await expect(label).toContainText('Opened in part: CPU 3. 300 lines are left out.');
  await expect(page.getByRole('button', { name: '401 lines · 100 % accounted' })).toBeVisible();
  await page.getByRole('button', { name: '401 lines' }).click();
  await expect(app.region('Import report')).toContainText('Left out');
  await app.place('Recordings').click();
  await expect(label).toHaveCount(0);
});

test('a stretch of time is opened, in the seconds of the file', async ({ app, page }) => {
  await app.open();
  await app.drop([FILE]);
  const dialog = app.dialog('More than fits into memory');
  await expect(dialog).toContainText('The file goes from 100\u00a0s to 100.000399\u00a0s.');
  await dialog.getByLabel('From, in seconds').fill('100.0001');
  await dialog.getByLabel('To, in seconds').fill('100');
  await expect(dialog.getByRole('status')).toContainText('the earlier one first');
  await expect(dialog.getByRole('button', { name: 'Open this part' })).toBeDisabled();
  await dialog.getByLabel('To, in seconds').fill('100.0002');
  await page.keyboard.press('Enter');
  await expect(page).toHaveTitle('large.txt · Ringside');
  await app.idle();
  const label = page.getByRole('note').filter({ hasText: 'Opened in part' });
  await expect(label).toContainText('Opened in part: from 100.0001\u00a0s to 100.0002\u00a0s.');
});

test('all of it can be opened anyway, and closing opens nothing', async ({ app, page }) => {
  await app.open();
  await app.drop([FILE]);
  const dialog = app.dialog('More than fits into memory');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toHaveCount(0);
  await app.idle();
  await app.drop([FILE]);
  await dialog.getByRole('button', { name: 'Open all of it anyway' }).click();
  await expect(page).toHaveTitle('large.txt · Ringside');
  await app.idle();
  await expect(page.getByRole('note').filter({ hasText: 'Opened in part' })).toHaveCount(0);
});
