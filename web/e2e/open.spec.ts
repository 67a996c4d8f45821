/** Opening the app: it comes up whole, quiet, small, and readable in both themes. */
import { gzipSync } from 'node:zlib';
import type { Response } from '@playwright/test';
import { expect, test } from './test.ts';

test('opens on the traces', async ({ app }) => {
  await app.open();
  await expect(app.heading('Ringside')).toBeVisible();
  await expect(app.place('Recordings')).toHaveAttribute('aria-current', 'page');
  await expect(app.footer()).toContainText('Nothing leaves the browser');
  await expect(app.footer()).toContainText(/Ringside \d+\.\d+\.\d+/);
});

test('loads at most 350 kB, compressed, before a trace is opened', async ({ app, page }) => {
  const responses: Response[] = [];
  page.context().on('response', (response) => responses.push(response));
  await app.open();
  const bodies = await Promise.all(responses.map((response) => response.body()));
  expect(bodies.reduce((sum, body) => sum + gzipSync(body).length, 0)).toBeLessThan(350_000);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`has no accessibility violation in the ${colorScheme} theme`, async ({ app, page }) => {
    await page.emulateMedia({ colorScheme });
    await app.open();
    expect(await app.accessibilityProblems()).toEqual([]);
  });
}
