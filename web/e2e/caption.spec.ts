/** The caption: what has just happened is said for the moment on screen, at the level chosen. */
import { expect, test } from './test.ts';

test('a caption says what has just happened, and the kernel’s function when asked', async ({
  app,
  page,
}) => {
  await app.open('#v=1&trace=udp-fragments&at=stage');
  const caption = page.getByRole('region', { name: 'Caption' });
  await page.keyboard.press('ArrowRight');
  await app.idle();
  await expect(caption).toContainText(/The NIC writes the frame into/);
  await caption.getByText('Kernel').click();
  await expect(caption).toContainText('wire_rx');
});

test('pressing play is enough: time runs, and what happens is told', async ({ app, page }) => {
  await app.open('#v=1&trace=udp-fragments&at=stage');
  const before = await app.moment().textContent();
  await page.keyboard.press('Space');
  await expect(app.moment()).not.toHaveText(before ?? '');
  const caption = page.getByRole('region', { name: 'Caption' });
  await expect(caption).toContainText(/IP keeps fragment 1 of 6/, { timeout: 20_000 });
  await page.keyboard.press('Space');
  await app.idle();
});

test('a sentence of two lines covers nothing of the stage, and does not make it smaller', async ({
  app,
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await app.open('#v=1&trace=udp-fragments&at=stage');
  const caption = page.getByRole('region', { name: 'Caption' });
  const surface = page.locator('#stage-view');
  await expect(caption).toContainText('We follow packet');
  const [long, stage] = [await caption.boundingBox(), await surface.boundingBox()];
  expect(long?.y).toBeGreaterThanOrEqual((stage?.y ?? Infinity) + (stage?.height ?? 0));
  await caption.getByText('Short').click();
  await expect(caption).not.toContainText('We follow packet');
  expect(await surface.boundingBox()).toEqual(stage);
});

for (const [width, height] of [
  [1280, 720],
  [400, 800],
] as const) {
  test(`the longest caption covers nothing of the stage either, at ${width} px`, async ({
    app,
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await app.open('#v=1&trace=socket-buffer-overflow&at=stage&t=131600000');
    const caption = page.getByRole('region', { name: 'Caption' });
    for (let step = 0; step < 8; step += 1) {
      const before = await app.moment().textContent();
      await page.keyboard.press('x');
      await expect(app.moment()).not.toHaveText(before ?? '');
      await app.idle();
      const [said, stage] = [
        await caption.boundingBox(),
        await page.locator('#stage-view').boundingBox(),
      ];
      expect(said?.y).toBeGreaterThanOrEqual((stage?.y ?? Infinity) + (stage?.height ?? 0));
    }
    await expect(caption).toContainText('the last one may go past');
  });
}

test('a term is explained where it stands, and the caption waits for its reader', async ({
  app,
  page,
}) => {
  await app.open('#v=1&trace=udp-fragments&at=stage');
  const caption = page.getByRole('region', { name: 'Caption' });
  const term = caption.getByRole('button', { name: 'datagram' });
  await term.hover();
  await expect(app.tooltip()).toContainText('travels in fragments');
  const before = await app.moment().textContent();
  await page.keyboard.press('Space');
  await expect(app.moment()).not.toHaveText(before ?? '');
  await expect(term).toBeVisible();
  await app.tooltip().hover();
  await expect(app.tooltip()).toBeVisible();
  await page.keyboard.press('Space');
  await page.keyboard.press('Escape');
  // The next caption may have a term of its own under the pointer.
  await expect(app.tooltip().filter({ hasText: 'travels in fragments' })).toHaveCount(0);
});

test('who comes to a term by key reads it, too', async ({ app, page }) => {
  await app.open('#v=1&trace=udp-fragments&at=stage');
  const term = page
    .getByRole('region', { name: 'Caption' })
    .getByRole('button', { name: 'datagram' });
  await term.focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await expect(term).toBeFocused();
  await expect(app.tooltip()).toContainText('travels in fragments');
  expect(await app.accessibilityProblems()).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(app.tooltip()).toHaveCount(0);
  await expect(term).toBeFocused();
});

test.describe('by touch', () => {
  test.use({ hasTouch: true });

  test('a term is explained, and a touch elsewhere closes it', async ({ app, page }) => {
    await app.open('#v=1&trace=udp-fragments&at=stage');
    const caption = page.getByRole('region', { name: 'Caption' });
    await caption.getByRole('button', { name: 'datagram' }).tap();
    await expect(app.tooltip()).toContainText('travels in fragments');
    // At its beginning: other lines have terms of their own.
    await caption.getByText('We follow packet').tap({ position: { x: 8, y: 8 } });
    await expect(app.tooltip()).toHaveCount(0);
  });
});

test('before anything is told the caption says that it will be', async ({ app, page }) => {
  await app.open('#v=1&lesson=one-datagram.1&at=stage');
  await expect(app.region('Caption')).toContainText('Here you read what happens, as it happens.');
  await page.getByRole('button', { name: 'Show me' }).click();
  await app.control('Play').click();
  await expect(app.region('Caption')).not.toContainText('Here you read');
});
