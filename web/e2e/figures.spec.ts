/** What came out of any run in figures, what differs in a second one, and where each figure leads. */
import { expect, test } from './test.ts';

test('what a figure counts as a packet is said beside the figures, in the Lab as on the stage', async ({
  app,
  page,
}) => {
  await app.open('#v=1&trace=tcp-gro-on&at=stage&panel=figures');
  const counted = /“A packet” is a frame as it comes in, before any are merged/;
  await expect(page.getByText(counted)).toBeVisible();
  await app.open('#v=1&at=lab');
  await expect(app.region('What comes of it')).toContainText(counted);
});

test('a recording has its figures, each leads somewhere, and what it cannot tell says why', async ({
  app,
  page,
}) => {
  await app.open('#v=1&at=stage&trace=tcp-loss');
  await page.getByRole('tab', { name: 'Figures' }).click();
  const panel = page.getByRole('tabpanel', { name: 'Figures' });
  await expect(panel.getByRole('row', { name: /^Throughput/ })).toContainText(/Mbit\/s/);
  await expect(panel.getByRole('row', { name: /Time on the way, median/ })).toContainText('µs');
  await expect(panel.getByRole('row', { name: /^softirq/ })).toContainText('µs');
  await expect(panel.getByRole('row', { name: /Lines from other caches/ })).toContainText(
    /No tracepoint sees caches.*not recorded/,
  );
  expect(await app.accessibilityProblems()).toEqual([]);
  await panel.getByRole('button', { name: /Time on the way, 99 % below/ }).click();
  await app.idle();
  await expect(page).toHaveURL(/packet=\d+/);
  await panel.getByRole('button', { name: /Packets delivered/ }).click();
  await expect(page).toHaveURL(/verdict=delivered/);
  await expect(page.getByRole('tabpanel', { name: 'Packets' })).toBeVisible();
});

test('the marked stretch of the time line has figures of its own', async ({ app, page }) => {
  await app.open('#v=1&at=stage&trace=tcp-loss&panel=figures&range=90000000-140000000');
  const panel = page.getByRole('tabpanel', { name: 'Figures' });
  await expect(panel).toContainText('in the marked stretch of 50');
  const part = await panel.getByRole('row', { name: /^Packets delivered/ }).innerText();
  await app.open('#v=1&at=stage&trace=tcp-loss&panel=figures');
  await expect(panel).toContainText('in all');
  await expect(panel.getByRole('row', { name: /^Packets delivered/ })).not.toHaveText(part);
});

test('of two recordings the verdict is in words, by keys, and leads to a packet', async ({
  app,
  page,
}) => {
  await app.open('#v=1&trace=tcp-same-cpu&at=stage&beside=tcp-cross-cpu');
  await expect(page.getByRole('application')).toHaveCount(2);
  await page.keyboard.press('q');
  const verdict = page.getByRole('dialog', { name: 'What differs in B' });
  await expect(verdict.getByRole('status').first()).toContainText('Packets are faster');
  await expect(verdict).toContainText('Packets wait');
  await expect(verdict.getByRole('row', { name: /^Throughput/ })).toContainText(/Mbit.*Mbit/);
  expect(await app.accessibilityProblems()).toEqual([]);
  await verdict.getByRole('button', { name: 'Show it in A' }).first().click();
  await expect(verdict).toBeHidden();
  await app.idle();
  await expect(page).toHaveURL(/packet=\d+/);
});

test('a simulation beside a recording says what one of them alone tells', async ({ app, page }) => {
  const scenario = JSON.stringify({
    ...{ machine: 'recorder', kernel: '6.1', workload: 'kperf-generator-udp' },
    ...{ seed: 1, duration_us: 20_000 },
  });
  const beside = encodeURIComponent(scenario);
  await app.open(`#v=1&trace=udp-small&at=stage&beside=${beside}`);
  await expect(page.getByRole('application')).toHaveCount(2);
  await page.keyboard.press('q');
  const verdict = page.getByRole('dialog', { name: 'What differs in B' });
  await expect(verdict).toContainText(/Only B tells: .*Lines from other caches/);
});

test('without a second run the same key asks which one', async ({ app, page }) => {
  await app.open('#v=1&trace=loopback&at=stage');
  await page.keyboard.press('q');
  await expect(page.getByRole('dialog', { name: 'Another run beside this one' })).toBeVisible();
});
