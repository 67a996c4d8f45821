/** Settings are the viewer's own: they stay in the browser, and no link of somebody else changes them. */
import { expect, test } from './test.ts';

test('what is set holds at once and after a reload, and wins over what a link says', async ({
  app,
  page,
}) => {
  await app.open();
  await app.button('Settings').click();
  const settings = app.dialog('Settings');
  await settings.getByRole('radio', { name: 'Dark' }).check();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  const size = settings.getByRole('slider', { name: 'Size of texts' });
  await size.press('End');
  await expect(size).toHaveAttribute('aria-valuetext', /^250\s%$/);
  await settings.getByRole('checkbox', { name: 'Letters and signs are keys' }).uncheck();
  expect(await app.accessibilityProblems()).toEqual([]);
  await page.keyboard.press('Escape');

  await app.open('?again#v=1&at=lab&theme=light');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('html')).toHaveAttribute('style', /font-size: 250%/);
  await expect(app.notice()).toHaveCount(0);
  await page.keyboard.press('m');
  await expect(app.button('Theme: dark')).toBeVisible();
});

test('what this browser kept and cannot be read is told', async ({ app, page }) => {
  await page.addInitScript(() => {
    const choices = { theme: 'pink', isHall: true };
    localStorage.setItem('ringside.settings', JSON.stringify({ version: 1, choices }));
  });
  await app.open();
  await expect(app.notice()).toContainText('theme cannot be "pink"');
  await expect(page.locator('html')).toHaveAttribute('data-hall', '');
});

test('where the browser keeps nothing the page is whole all the same', async ({ app, page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get: () => {
        throw new DOMException('blocked', 'SecurityError');
      },
    });
  });
  await app.open();
  await app.button('Settings').click();
  const settings = app.dialog('Settings');
  await settings.getByRole('radio', { name: 'Dark' }).check();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  // Once, whatever else is chosen.
  await settings.getByRole('combobox').selectOption('English');
  await page.keyboard.press('Escape');
  await expect(app.notice()).toContainText('This browser keeps nothing for this page');
  await expect(app.notice().getByRole('listitem')).toHaveCount(1);
});
