/** Opening the app: it comes up whole, quiet, and readable in both themes. */
import { expect, test } from './test.ts';

test('opens on the traces, with the core running', async ({ app }) => {
  await app.open();
  await expect(app.heading('Ringside')).toBeVisible();
  await expect(app.place('Traces')).toHaveAttribute('aria-current', 'page');
  await expect(app.footer()).toContainText('Nothing leaves the browser');
  await expect(app.footer()).toContainText(/core \d+\.\d+\.\d+/);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`has no accessibility violation in the ${colorScheme} theme`, async ({ app, page }) => {
    await page.emulateMedia({ colorScheme });
    await app.open();
    expect(await app.accessibilityProblems()).toEqual([]);
  });
}
