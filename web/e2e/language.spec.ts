/** The page speaks one language, and fetches another when it is chosen. */
import { expect, test } from './test.ts';

test('a language is fetched when it is chosen, and chosen again where it did not come', async ({
  app,
  page,
}) => {
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(request.url()));
  await app.open();
  expect(fetched.some((url) => /\/en-[^/]*\.js$/.test(url))).toBe(true);
  const german = /\/de-[^/]*\.js$/;
  expect(fetched.filter((url) => german.test(url))).toEqual([]);

  await page.context().setOffline(true);
  const choice = app.footer().getByRole('combobox');
  await choice.selectOption('Deutsch');
  await expect(app.footer().getByRole('alert')).toContainText('could not be fetched');
  await expect(choice).toHaveValue('system');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');

  await page.context().setOffline(false);
  await choice.selectOption('Deutsch');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect(page.getByRole('link', { name: 'Aufzeichnungen' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('link', { name: 'Aufzeichnungen' })).toBeVisible();
});
