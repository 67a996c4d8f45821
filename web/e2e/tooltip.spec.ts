/** Tooltips: by pointer and by key, as long as one reads them, and gone with Escape (WCAG 1.4.13). */
import { expect, test } from './test.ts';

test('a tooltip stays while it is read and goes with Escape', async ({ app, page }) => {
  await app.open();
  const button = app.button('Copy a link to this view');
  await button.hover();
  await expect(app.tooltip()).toHaveText(/Copy a link to this view/);
  await app.tooltip().hover();
  await expect(app.tooltip()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(app.tooltip()).toHaveCount(0);

  await button.hover();
  await expect(app.tooltip()).toBeVisible();
  await page.mouse.move(5, 500);
  await expect(app.tooltip()).toHaveCount(0);
});

test('what is pressed says no more what it is, and covers nothing of what comes of it', async ({
  app,
}) => {
  await app.open('#v=1&trace=udp-small&at=stage');
  await app.control('Play').hover();
  await expect(app.tooltip()).toBeVisible();
  await app.control('Play').click();
  await expect(app.control('Pause')).toBeVisible();
  await expect(app.tooltip()).toHaveCount(0);
});

test('who comes by key has it too', async ({ app, page }) => {
  await app.open();
  await app.button('Settings').focus();
  await page.keyboard.press('Tab');
  await expect(app.tooltip()).toHaveText(/Keys/);
  await page.keyboard.press('Escape');
  await expect(app.tooltip()).toHaveCount(0);
  await expect(app.button('Keys')).toBeFocused();
});

test('a tooltip lies within the window', async ({ app, page }) => {
  await page.setViewportSize({ width: 400, height: 800 });
  await app.open();
  // The last of its row.
  await app.button('Settings').hover();
  const box = await app.tooltip().boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(400);
});
