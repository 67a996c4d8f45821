/** Two windows of the page in step: the run, the moment, files of one's own; and a window that goes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './test.ts';
import { Visualizer } from './visualizer.ts';

const loopback = readFileSync(join(import.meta.dirname, '../../traces/loopback/trace.txt.gz'));
const shown = '#v=1&trace=loopback&at=stage&t=195000000&speed=20000&pace=true&packet=3';

/** Opens the second window by its key, with the panels around its stage, so that both can be read. */
async function second(app: Visualizer, page: Page): Promise<Visualizer> {
  const coming = page.context().waitForEvent('page');
  await page.keyboard.press('Shift+W');
  const other = new Visualizer(await coming);
  await other.button('All of the screen again').click();
  await expect(other.moment()).toHaveText((await app.moment().textContent()) ?? '');
  return other;
}

test('a second window shows the same moment, and whichever acts is followed', async ({
  app,
  page,
}) => {
  await app.open(shown);
  const other = await second(app, page);
  await expect(app.button('2 windows in step')).toBeVisible();

  await app.slider().press('ArrowRight');
  await app.idle();
  const moment = (await app.moment().textContent()) ?? '';
  expect(moment).not.toMatch(/195\.000\.000/);
  await expect(other.moment()).toHaveText(moment);

  await other.page.keyboard.press('Home');
  await expect(app.moment()).toHaveText(/^0/);
  await other.page.keyboard.press('v');
  await expect(app.page.getByRole('tab', { name: 'Queues' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
});

test('film that one window plays runs in the other, and stops there at the same moment', async ({
  app,
  page,
}) => {
  await app.open('#v=1&trace=udp-fragments&at=stage');
  const other = await second(app, page);
  await page.keyboard.press(' ');
  await expect(other.control('Pause')).toBeVisible();
  await other.page.keyboard.press(' ');
  await expect(app.control('Play')).toBeVisible();
  await app.idle();
  await other.idle();
  await expect(app.moment()).toHaveText((await other.moment().textContent()) ?? '');
});

test('another run, opened in the second window, comes to the first', async ({ app, page }) => {
  await app.open(shown);
  const other = await second(app, page);
  await other.place('Recordings').click();
  await expect(other.heading('Recordings')).toBeVisible();
  await expect(app.transport(), 'places stay each window’s own').toBeVisible();
  await other.openRecording('UDP datagrams in six fragments');
  await expect(page).toHaveTitle(/^UDP datagrams in six fragments/);
});

test('files of one’s own reach the second window; one that goes is noticed', async ({
  app,
  page,
}) => {
  await app.open();
  await app.drop([{ name: 'mine.txt.gz', bytes: loopback }]);
  await app.idle();
  const other = await second(app, page);
  await expect(other.page).toHaveTitle(/^mine\.txt\.gz/);
  await other.page.close({ runBeforeUnload: true });
  await expect(app.said()).toHaveText('The other window is gone.');
  await expect(app.button('2 windows in step')).toBeHidden();
});

test('settings stay each window’s own, and a window can go on alone', async ({ app, page }) => {
  await app.open(shown);
  const other = await second(app, page);
  await page.keyboard.press('m');
  await page.keyboard.press('m');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await app.button('2 windows in step').click();
  await expect(other.said()).toHaveText('The other window is gone.');
  await expect(other.page.locator('html')).toHaveAttribute('data-theme', 'light');
});

test('on a wall there is nothing but the picture and its words until somebody points', async ({
  app,
  page,
}) => {
  await app.open('#v=1&at=stage&lesson=one-datagram.1');
  const coming = page.context().waitForEvent('page');
  await app.button('Show on a second screen').click();
  const wall = new Visualizer(await coming);
  await wall.page.setViewportSize({ width: 1280, height: 800 });
  const way = wall.button('All of the screen again');
  const levels = wall.region('Caption').getByText('Short');
  const seen = (locator: typeof way) =>
    locator.evaluate((element) => element.checkVisibility({ checkOpacity: true }));
  await expect(way).toBeAttached();
  await expect(levels).toBeAttached();
  expect([await seen(way), await seen(levels)]).toEqual([false, false]);
  await wall.page.mouse.move(400, 300);
  expect([await seen(way), await seen(levels)]).toEqual([true, true]);
  await expect.poll(() => seen(way)).toBe(false);
  await way.focus();
  expect([await seen(way), await seen(levels)]).toEqual([true, false]);
});

test('a lesson that is read here is shown beside the stage of the second window, and turned here', async ({
  app,
  page,
}) => {
  await app.open('#v=1&at=stage&lesson=one-datagram.1');
  await expect(app.heading('In how many frames?')).toBeVisible();
  const coming = page.context().waitForEvent('page');
  await page.keyboard.press('Shift+W');
  const hall = new Visualizer(await coming);
  await expect(hall.heading('In how many frames?')).toBeVisible();
  await expect(hall.page.getByRole('radio').first()).toBeDisabled();
  await expect(hall.button('Answer')).toBeHidden();
  // The notes are the lecturer's.
  await expect(app.region('Notes for the lecturer')).toContainText('Have them vote by hands');
  await expect(hall.region('Notes for the lecturer')).toHaveCount(0);

  await page.getByRole('radio').first().check();
  await app.button('Answer').click();
  await expect(hall.page.getByRole('status').filter({ hasText: /^Not so\./ })).toBeVisible();
  await app.button('Continue').click();
  await expect(hall.heading('Where is the time?')).toBeVisible();
});
