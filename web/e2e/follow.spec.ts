/** Following a packet: wherever it is chosen, play head and stage come to it, and Escape lets go. */
import { expect, test } from './test.ts';

test('the longest wait is gone to and followed, and Escape lets go', async ({ app, page }) => {
  await app.open('#v=1&trace=loopback&at=stage&t=1000&zoom=0-2000&pace=true&panel=inspect');
  const before = (await app.moment().textContent()) ?? '';
  await app.button('Find the longest wait').click();
  await app.idle();
  await expect(app.moment()).not.toHaveText(before);
  await expect(page).toHaveURL(/packet=\d+&follow=1/);
  // The time line has come along: the moment lies in the stretch that is in view.
  const { t, zoom } = fieldsOf(page.url());
  const [from = NaN, to = NaN] = (zoom ?? '').split('-').map(Number);
  expect(from).toBeLessThanOrEqual(Number(t));
  expect(Number(t)).toBeLessThanOrEqual(to);
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/follow=1/);
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveURL(/packet=/);
});

test('u takes back what was done to the view, Shift and u does it again', async ({ app, page }) => {
  await app.open('#v=1&trace=loopback&at=stage&t=1000&pace=true');
  await page.keyboard.press('w');
  await expect(page).toHaveURL(/zoom=/);
  await page.keyboard.press('u');
  await expect(page).not.toHaveURL(/zoom=/);
  await page.keyboard.press('Shift+U');
  await expect(page).toHaveURL(/zoom=/);
});

function fieldsOf(url: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(new URL(url).hash.slice(1)));
}
