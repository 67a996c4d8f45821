/** Where the focus goes when what had it is gone, and that a step opens at its beginning. */
import { expect, test } from './test.ts';

test('an answer given by key takes the focus to what comes of it', async ({ app, page }) => {
  await app.open('#v=1&lesson=two-processors.2&at=stage');
  await page.getByRole('radio', { name: /Clearly slower/ }).check();
  await app.button('Answer').press('Enter');
  await expect(page.getByText('Right.').locator('..')).toBeFocused();
});

test('what opened a dialog has the focus again once Escape has closed it', async ({
  app,
  page,
}) => {
  await app.open('#v=1&trace=udp-fragments&at=stage');
  const opener = app.button('Save the run');
  await opener.press('Enter');
  await expect(app.dialog('Save the run')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(app.dialog('Save the run')).toHaveCount(0);
  await expect(opener).toBeFocused();
});

test('on a phone a lesson opens at its heading', async ({ app, page }) => {
  await page.setViewportSize({ width: 400, height: 850 });
  await app.open('#v=1&lesson=one-datagram.1&at=stage');
  await app.idle();
  await expect(page.getByText('Step 1 of 11')).toBeInViewport({ ratio: 1 });
});
