/**
 * What the product is for, as a newcomer does it: see fragments become a datagram, find the
 * packet that waited longest and why, see what the NIC dropped. With the mouse and without.
 */
import { expect, test } from './test.ts';

test('a fragment storm is seen to reassemble', async ({ app, page }) => {
  await app.open('#v=1&trace=udp-fragments&at=stage&t=194300000');
  const stage = app.region('Stage');
  await expect(stage).toContainText(/reassembly/);
  await expect(stage).toContainText(/2 fragments/);
  await page.goto('./#v=1&trace=udp-fragments&at=stage&t=194660000');
  await app.idle();
  await expect(stage).not.toContainText(/2 fragments/);
});

test('the packet that waited longest is found, and why', async ({ app, page }) => {
  await app.open('#v=1&trace=udp-fragments&at=stage&panel=inspect');
  await page.getByRole('tab', { name: 'All packets' }).click();
  await app.button('Find the longest wait').click();
  await page.getByRole('tab', { name: 'Packet', exact: true }).click();
  const packet = page.getByRole('tabpanel', { name: 'Packet', exact: true });
  await expect(packet.getByRole('heading', { name: /^Packet \d+/ })).toBeVisible();
  await expect(packet).toContainText('The longest wait');
  await expect(packet).toContainText(/Waited [\d.,]+\s(µs|ms) in/);
  await expect(packet).toContainText(/in service .* waiting .* total/);
});

test('a list of the events of one packet stays so when the packet is let go', async ({
  app,
  page,
}) => {
  await app.open('#v=1&trace=udp-fragments&at=stage&packet=2&panel=inspect');
  await page.getByRole('tab', { name: 'Events' }).click();
  const events = page.getByRole('tabpanel', { name: 'Events' });
  await events.getByRole('checkbox', { name: /only/ }).check();
  await expect(events).toContainText('only packet 5 · 3/6');
  const shown = events.locator('.count');
  const count = (await shown.textContent()) ?? '';
  await page.keyboard.press('Escape');
  await app.idle();
  await expect(events).toContainText('only packet 5 · 3/6');
  await expect(shown).toHaveText(count);
});

test('whoever opens a run goes on from the stage', async ({ app, page }) => {
  await app.open('#v=1&trace=udp-fragments&at=stage');
  await expect(page.getByRole('region', { name: 'Stage' })).toBeFocused();
});

test('the film plays, stops, steps and steps back to the same moment', async ({ app, page }) => {
  await app.open('#v=1&trace=tcp-gro-on&at=stage');
  // The film opens between two events; from the first hop on, steps are there and back.
  await page.keyboard.press('ArrowRight');
  await app.idle();
  const first = await app.moment().textContent();
  await page.keyboard.press('ArrowRight');
  await app.idle();
  await expect(app.moment()).not.toHaveText(first ?? '');
  await page.keyboard.press('ArrowLeft');
  await app.idle();
  await expect(app.moment()).toHaveText(first ?? '');
  await page.keyboard.press('Space');
  await expect(app.control(/Pause/)).toBeVisible();
  await expect(app.moment()).not.toHaveText(first ?? '');
  await page.keyboard.press('Space');
  await app.idle();
});

test('a frame that the NIC had no descriptor for is seen to drop', async ({ app, page }) => {
  await app.open('#v=1&trace=ring-overflow&at=stage');
  await page.getByRole('combobox', { name: /step/i }).selectOption('drop');
  await app.control(/Next drop/).click();
  await app.idle();
  await expect(app.region('Stage')).toContainText('RX_RING_FULL');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the stage has no accessibility violation in the ${colorScheme} theme`, async ({
    app,
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    await app.open('#v=1&trace=udp-fragments&at=stage&t=194300000&packet=12&panel=inspect');
    await expect(page.getByRole('heading', { name: 'The longest wait' })).toBeVisible();
    expect(await app.accessibilityProblems()).toEqual([]);
  });
}
