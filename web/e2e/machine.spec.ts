/** A model's run, opened as the text it can be written as: caches, locks, slices, timers, costs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './test.ts';
import type { Visualizer } from './visualizer.ts';

const bytes = readFileSync(join(import.meta.dirname, 'fixtures/two-caches.kperf'));

async function open(app: Visualizer, time: number, more = ''): Promise<void> {
  await app.open();
  await app.drop([{ name: 'two-caches.kperf', bytes }]);
  await app.idle();
  const at = (hash: string) =>
    hash.replace(/&t=\d+/, `&t=${time}`).replace(/speed=\d+/, 'speed=10000&pace=true');
  await app.page.evaluate(
    (hash) => (location.hash = hash),
    at(new URL(app.page.url()).hash) + more,
  );
  await expect(app.moment()).toHaveText(new RegExp(String(time / 1000)));
  await app.idle();
}

test('lines that moved between two caches are told, by kind and so far', async ({ app, page }) => {
  await open(app, 31_500);
  await expect(page.getByText('simulated', { exact: true })).toBeVisible();
  const stage = app.stageInWords();
  await expect(stage).toContainText('Lines in the cache of CPU 0: processes’ buffers 2,048');
  await expect(stage).toContainText(
    'From the cache of CPU 0 to CPU 1: 60 lines so far, 54 lines just now.',
  );
  await expect(stage).toContainText('CPU 1: pushed out make (78).');
  await expect(stage).toContainText('CPU 1: in the run queue: make (78).');
  await expect(stage).toContainText(/CPU 0: .* left of its slice/);
  await expect(stage).toContainText(/CPU 1: probes took .* of its time/);
});

test('a lock that is spun on names its holder', async ({ app }) => {
  await open(app, 23_500);
  await expect(app.stageInWords()).toContainText(
    'CPU 0: spins 500 ns on sock · port 5001, held by CPU 1.',
  );
  await expect(app.stageInWords()).toContainText('prequeue port 5001: 1 packet.');
});

test('an interrupt that is held back says until when', async ({ app }) => {
  await open(app, 12_000);
  await expect(app.stageInWords()).toContainText('eth0 holds 2 frames back for another 5.00 µs.');
});

test('a range says which lines moved, by object and pair of CPUs', async ({ app, page }) => {
  await open(app, 64_000, '&range=0-237100');
  const moved = page.getByRole('table', { name: 'Cache lines moved between CPUs' });
  await expect(moved.getByRole('row', { name: /data CPU 0 → CPU 1/ })).toContainText('199');
  await expect(page.getByRole('table', { name: 'Locks waited for' })).toContainText('6');
  await expect(page.getByRole('table', { name: 'What the probes cost' })).toContainText('CPU 1');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the stage of a model has no accessibility violation, ${colorScheme}`, async ({
    app,
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    await open(app, 23_500);
    expect(await app.accessibilityProblems()).toEqual([]);
  });
}
