/** The time line: zooming by key, button and wheel, and a range that is measured. */
import { expect, test } from './test.ts';

test('the time line zooms in by key and wheel, and fits again', async ({ app, page }) => {
  await app.open('#v=1&trace=udp-fragments&at=stage');
  await page.keyboard.press('e');
  const line = app.region('Time line');
  const inView = line.getByText(/in view$/);
  await expect(inView).toHaveText(/^763/);
  await page.keyboard.press('w');
  await expect(inView).not.toHaveText(/^763/);
  await line.getByRole('button', { name: 'Fit the whole run' }).click();
  await expect(inView).toHaveText(/^763/);
  await line.hover({ position: { x: 600, y: 80 } });
  await page.mouse.wheel(0, -400);
  await expect(inView).not.toHaveText(/^763/);
  await expect(page).toHaveURL(/zoom=\d+-\d+/);
});

test('a range in a link is measured', async ({ app, page }) => {
  await app.open('#v=1&trace=udp-fragments&at=stage&range=190000000-200000000');
  const measures = page.getByRole('heading', { name: /^Range of 10/ });
  await expect(measures).toBeVisible();
  await expect(page.getByRole('row', { name: /8 to 9/ })).toBeVisible();
});
