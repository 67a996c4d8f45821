/** What goes wrong under way: a worker that breaks down, and going back while a trace is opened. */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Page, Worker } from '@playwright/test';
import { expect, test } from './test.ts';

test('a worker that breaks down is told, and the run is opened again at the same moment', async ({
  app,
  page,
}) => {
  await app.open('#v=1&trace=loopback&at=stage&t=195000000');
  const moment = (await app.moment().textContent()) ?? '';
  await breakDown(page.workers().at(0));
  await expect(app.alarm()).toContainText('answers no more');
  await expect(app.alarm()).toContainText('the test pulled the plug');
  await app.idle();
  await page.keyboard.press('.');
  await app.button('Open again').click();
  await expect(app.alarm()).toHaveCount(0);
  await app.idle();
  await expect(app.moment()).toHaveText(moment);
  await page.keyboard.press('.');
  await expect(app.moment()).not.toHaveText(moment);
});

test('a file that changed after it was opened is not taken for what it was', async ({
  app,
  page,
}, info) => {
  const file = info.outputPath('one.txt');
  writeFileSync(file, ONE_EVENT);
  await app.open();
  await dropFromDisk(page, file);
  await expect(page).toHaveTitle('one.txt · Ringside');
  await app.idle();
  writeFileSync(file, ONE_EVENT.repeat(2));
  await breakDown(page.workers().at(0));
  await app.button('Open again').click();
  const trouble = app.alarm().filter({ hasText: 'could not be opened' });
  await expect(trouble).toContainText('it changed, moved or was deleted');
  await app.idle();
});

test('a folder is no file, and a file opens after it', async ({ app, page }, info) => {
  const folder = info.outputPath('recordings');
  mkdirSync(folder);
  writeFileSync(info.outputPath('one.txt'), ONE_EVENT);
  await app.open();
  await dropFromDisk(page, folder);
  await expect(app.alarm()).toContainText('recordings could not be opened');
  await expect(app.alarm()).toContainText('It is a folder');
  await app.idle();
  await dropFromDisk(page, info.outputPath('one.txt'));
  await expect(page).toHaveTitle('one.txt · Ringside');
  await expect(app.alarm()).toHaveCount(0);
});

test('nor is a folder a machine of the Lab, and a machine file is taken after it', async ({
  app,
  page,
}, info) => {
  const folder = info.outputPath('folder.json');
  mkdirSync(folder);
  const host = info.outputPath('host.json');
  const machine = { name: 'host', title: 'Mine', about: '', based_on: 'current-server' };
  writeFileSync(host, JSON.stringify({ ...machine, sources: {} }));
  await app.open('#v=1&at=lab');
  await dropFromDisk(page, folder);
  await expect(page.getByRole('alert')).toContainText('It is a folder');
  await dropFromDisk(page, host);
  await expect(app.field('Machine')).toHaveValue('host');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a file dropped while film runs leaves nothing of the run before', async ({ app, page }) => {
  await app.open('#v=1&trace=udp-fragments&at=stage&packet=3');
  await app.control('Play').click();
  await app.drop([{ name: 'one.txt', bytes: Buffer.from(ONE_EVENT) }]);
  await expect(page).toHaveTitle('one.txt · Ringside');
  await app.idle();
  await expect(app.stageInWords()).toBeVisible();
  await expect(page).not.toHaveURL(/packet=/);
});

test('without a network it says so, and the first try after that opens', async ({ app, page }) => {
  await app.open();
  const card = page.getByRole('link', { name: 'UDP datagrams in six fragments' });
  await page.context().setOffline(true);
  await card.click();
  await expect(app.alarm().filter({ hasText: 'The recording could not be fetched' })).toBeVisible();
  await expect(app.alarm().filter({ hasText: 'Unable' })).toHaveCount(0);
  await app.idle();
  await page.context().setOffline(false);
  await card.click();
  await expect(app.stageInWords()).toBeVisible();
  await expect(app.alarm()).toHaveCount(0);
});

test('without a network every file that is dropped says why it does not open', async ({
  app,
  page,
}) => {
  await app.open();
  await page.context().setOffline(true);
  for (const name of ['one.txt', 'two.txt']) {
    await app.drop([{ name, bytes: Buffer.from(ONE_EVENT) }]);
    await expect(app.alarm().filter({ hasText: name })).toContainText('could not be fetched');
    await app.idle();
  }
});

test('a lesson and a window over the page say so, too', async ({ app, page }) => {
  await app.open('#v=1&lesson=one-datagram.1&at=stage');
  await page.context().setOffline(true);
  await page.goto('#v=1&lesson=preempted-reader.1&at=stage');
  const trouble = page.locator('.lesson').getByRole('alert');
  await expect(trouble).toContainText('The recording could not be fetched');
  await expect(page.getByText('core.recording')).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await expect(
    app.alarm().filter({ hasText: 'A part of Ringside could not be fetched' }),
  ).toBeVisible();
  await app.idle();
});

test('where a part of the panel beside the stage does not come, that is said in its place', async ({
  app,
  page,
}) => {
  await app.open('#v=1&trace=loopback&at=stage');
  await app.idle();
  await page.route(/ProfilePanel-[^/]*\.js$/, (route) => route.abort('internetdisconnected'));
  await page.getByRole('tab', { name: 'Profile' }).click();
  const panel = page.getByRole('tabpanel', { name: 'Profile' });
  await expect(panel.getByRole('alert')).toContainText('could not be fetched');
});

test('where the server has a newer page, that is said and the page is loaded again', async ({
  app,
  page,
}) => {
  await app.open();
  await page.route(/LabPlace-[^/]*\.js$/, (route) => route.abort('internetdisconnected'));
  await page.route(
    (url) => url.pathname === new URL(page.url()).pathname,
    (route) =>
      route.fulfill({ contentType: 'text/html', body: '<script src="./new.js"></script>' }),
  );
  await page.getByRole('link', { name: 'Lab', exact: true }).click();
  await expect(app.alarm()).toHaveCount(1);
  await expect(app.alarm()).toContainText('The server has a newer Ringside than this page');
  await page.unrouteAll();
  await app.button('Load again').click();
  await expect(app.alarm()).toHaveCount(0);
  await expect(page).toHaveTitle(/Lab/);
});

test('without its first language the page says in two that it has not loaded', async ({
  app,
  page,
}) => {
  await page.route(/\/en-[^/]*\.js$/, (route) => route.abort('internetdisconnected'));
  await page.goto('./');
  await expect(page.getByText('Ringside has not loaded yet.')).toBeVisible();
  await expect(page.getByText('Ringside ist noch nicht geladen.')).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('link', { name: 'Load it again' }).click();
  await expect(app.heading('Ringside')).toBeVisible();
  await expect(page.getByText('has not loaded')).toHaveCount(0);
});

test('going back while a trace is opened stays on the shelf', async ({ app, page }) => {
  await app.open();
  // The trace comes only after the viewer has gone back.
  let send: () => void = () => undefined;
  const isGone = new Promise<void>((resolve) => (send = resolve));
  await page.route('**/trace*.gz', async (route) => {
    await isGone;
    await route.continue();
  });
  await page.evaluate(() => history.pushState(null, '', '#v=1&trace=loopback&at=stage'));
  await page.evaluate(() => history.pushState(null, '', '#v=1&trace=udp-fragments&at=stage'));
  await page.goBack();
  await expect(page.getByText('Opening')).toBeVisible();
  await page.goBack();
  send();
  await app.idle();
  await expect(app.heading('Ringside')).toBeVisible();
  await expect(app.transport()).toHaveCount(0);
  await expect(page).toHaveURL(/\/$/);
});

const ONE_EVENT = [
  '# tracer: nop',
  '     kworker-5 [000] ..s1. 100.000001: netif_receive_skb: dev=lo skbaddr=ffff888009032e00 len=84',
  '     kworker-5 [000] ..s1. 100.000009: consume_skb: skbaddr=ffff888009032e00 location=skb_release',
  '',
].join('\n');

/** Drops what is at a path as the file manager does: the browser reads it from the disk. */
async function dropFromDisk(page: Page, path: string): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await browser.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
  }
}

async function breakDown(worker: Worker | undefined): Promise<void> {
  await worker?.evaluate(() => {
    setTimeout(() => {
      throw new Error('the test pulled the plug');
    });
  });
}
