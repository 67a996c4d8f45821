/** The time-sequence graph of a TCP connection, from a capture and from either end. */
import { expect, test } from './test.ts';

test('a loss is found in the graph, its packet followed, and the graph sent as a link', async ({
  app,
  page,
}) => {
  await app.open('#v=1&at=stage&trace=tcp-loss');
  await page.getByRole('tab', { name: 'Sequence' }).click();
  const panel = page.getByRole('tabpanel', { name: 'Sequence' });
  await expect(panel).toContainText('300 segments with data, 21 of them sent again or late');
  await expect(panel.getByRole('img', { name: /Time-sequence graph/ })).toBeVisible();
  await expect(
    panel.getByRole('listitem').filter({ hasText: 'O: fills a hole, bytes' }),
  ).toHaveCount(12);
  await panel
    .getByRole('button', { name: /^95\.\d/ })
    .first()
    .click();
  await expect(page).toHaveURL(/packet=\d+/);
  await expect(page).toHaveURL(/follow=1/);
  await expect(panel.getByRole('definition').first()).toHaveText(/^9\d\.\d/);
  await expect(panel).toContainText('under way');
  expect(await app.accessibilityProblems()).toEqual([]);
  await panel.getByRole('radio', { name: 'where it is received' }).check();
  await expect(panel).not.toContainText('(SACK)');
  await panel.getByRole('button', { name: 'The other way' }).click();
  await expect(panel).toContainText(/: 0 segments with data/);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: 'SVG' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('Sequence.svg');
  await expect(page).toHaveURL(/panel=sequence/);
});

test('a press on a bar follows its packet, and on an empty place goes to the moment', async ({
  app,
  page,
}) => {
  await app.open('#v=1&at=stage&trace=send-tcp-tso&panel=sequence');
  const graph = page.getByRole('img', { name: /Time-sequence graph/ });
  await expect(graph).toBeVisible();
  const { width, height } = (await graph.boundingBox())!;
  await graph.click({ position: { x: width - 20, y: 40 } });
  await expect(page).toHaveURL(/t=\d+/);
  await expect(page).not.toHaveURL(/packet=/);
  const bar = await graph.locator('path.bar.new').evaluate((path) => {
    const [, x, y] = /^M([\d.]+) ([\d.]+)/.exec(path.getAttribute('d') ?? '') ?? [];
    return { x: Number(x), y: Number(y) - 1 };
  });
  expect(bar.y).toBeLessThan(height);
  await graph.click({ position: bar });
  await expect(page).toHaveURL(/packet=\d+/);
});

test('a recording without TCP has no such tab', async ({ app, page }) => {
  await app.open('#v=1&at=stage&trace=udp-small');
  await expect(page.getByRole('tab', { name: 'Packets' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Sequence' })).toHaveCount(0);
});
