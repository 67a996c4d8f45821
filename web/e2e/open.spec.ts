/** Opening the app: it comes up whole, quiet, small, and readable in both themes. */
import { gzipSync } from 'node:zlib';
import type { Response } from '@playwright/test';
import { expect, test } from './test.ts';

/**
 * 350 kB are the goal: what the bytes are, and why they are more, is in web/ARCHITECTURE.md. Lower it whenever they become fewer.
 */
const MOST_FOR_A_RECORDING = 1_074_000;

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

/** What a cold page loads until its first recording is on the stage, the recording's own files apart. */
test('loads the reader and no model for a recording', async ({ app, page }) => {
  const responses: Response[] = [];
  page.context().on('response', (response) => responses.push(response));
  await app.open();
  await app.openRecording('Loopback');
  const nameOf = (response: Response) => new URL(response.url()).pathname.split('/').at(-1) ?? '';
  // The rest of the reader (`web/core/rest.ts`) follows. Called before it is there, it would be waited
  // for, by a request of the other kind: then `.ci/first-functions.mjs` is due.
  const isFollowing = (response: Response) =>
    nameOf(response).startsWith('reader_rest') && response.request().resourceType() === 'fetch';
  const ours = responses.filter(
    (response) => !/^(?:trace\.|wire\.)/.test(nameOf(response)) && !isFollowing(response),
  );
  const names = ours.map(nameOf);
  expect(names.some((name) => name.startsWith('reader_bg'))).toBe(true);
  // Neither the simulator nor its data, nor the papers.
  expect(names.filter((name) => /^(?:reader_rest|simulator|model|paper)/.test(name))).toEqual([]);
  const bodies = await Promise.all(ours.map((response) => response.body()));
  const compressed = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
  expect(compressed).toBeLessThan(MOST_FOR_A_RECORDING);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`has no accessibility violation in the ${colorScheme} theme`, async ({ app, page }) => {
    await page.emulateMedia({ colorScheme });
    await app.open();
    expect(await app.accessibilityProblems()).toEqual([]);
  });
}
