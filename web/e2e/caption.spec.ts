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

test('pressing play is enough: time runs, and the interrupt is told', async ({ app, page }) => {
  await app.open('#v=1&trace=udp-fragments&at=stage');
  const before = await app.moment().textContent();
  await page.keyboard.press('Space');
  await expect(app.moment()).not.toHaveText(before ?? '');
  const caption = page.getByRole('region', { name: 'Caption' });
  await expect(caption).toContainText(/CPU 0 takes/, { timeout: 20_000 });
  await page.keyboard.press('Space');
  await app.idle();
});
