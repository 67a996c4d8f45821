/** Search: packets, functions and moments are found by what the page calls them, and gone to by keys alone. */
import { expect, test } from './test.ts';

test('a piece of a packet, a function and nothing are searched for by keys', async ({
  app,
  page,
}) => {
  await app.open('#v=1&trace=udp-fragments&at=stage');
  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: 'Search this run' });
  await expect(field).toBeFocused();
  await field.fill('65 · 3/6');
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText(/packet\s*65 · 3\/6/);
  expect(await app.accessibilityProblems()).toEqual([]);
  await field.press('Enter');
  await expect(field).toHaveCount(0);
  await expect(page).toHaveURL(/packet=\d+&follow=1&panel=inspect/);
  await expect(page.getByRole('heading', { name: 'Packet 65 · 3/6' })).toBeVisible();

  await page.keyboard.press('/');
  await field.fill('netif_receive');
  await expect(page.getByRole('listbox').getByRole('option', { selected: true })).toContainText(
    'netif_receive',
  );
  await field.press('Enter');
  await expect(app.said()).toContainText(/^netif_receive_skb\w*: [\d,]+ of [\d,]+\./);
  const first = await app.said().textContent();
  await page.keyboard.press('/');
  await field.press('Enter');
  await expect(app.said()).toContainText(/^netif_receive_skb\w*: [\d,]+ of/);
  await expect(app.said()).not.toHaveText(first ?? '');

  // TCP's functions are known, but this run passes none of them.
  await page.keyboard.press('/');
  await field.fill('tcp_v4_rcv');
  await expect(page.getByText('Nothing in this run is called so.')).toBeVisible();
  await field.fill('no such thing');
  await expect(page.getByText('Nothing in this run is called so.')).toBeVisible();
  await field.press('Escape');
  await expect(field).toHaveCount(0);
});

test('Enter that comes before the answer leads where the answer leads', async ({ app, page }) => {
  await app.open('#v=1&trace=udp-fragments&at=stage');
  await page.keyboard.press('/');
  // Both in one task: there is no time between them in which the core could answer.
  await page.getByRole('combobox', { name: 'Search this run' }).evaluate((field) => {
    (field as HTMLInputElement).value = '65 · 3/6';
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  });
  await expect(page.getByRole('heading', { name: 'Packet 65 · 3/6' })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Search this run' })).toHaveCount(0);
});
