/** Two runs on one clock: from the Lab, from the shelf, by keys, and by a link. */
import { expect, test } from './test.ts';

test('both runs of a question are watched, and the first difference is gone to by a key', async ({
  app,
  page,
}) => {
  await app.open('#v=1&at=lab');
  await page.getByRole('link', { name: 'A flood: dropped at the socket, or by XDP?' }).click();
  const result = app.region('What comes of it');
  await expect(result).toContainText('Dropped for XDP');
  await result.getByRole('button', { name: 'Watch both' }).click();
  const bar = page.getByRole('group', { name: 'Another run beside this one' });
  await expect(bar).toContainText('packets are in both');
  await app.control('Pause').click();
  await app.idle();
  await page.keyboard.press('y');
  await expect(bar).toContainText(/Packet 0 goes to .*(driver in B|XDP in B)/);
  expect(await app.accessibilityProblems()).toEqual([]);
  await app.idle();
  await expect(page).toHaveURL(/beside=%7B.*packet=0/);
  const link = new URL(page.url()).hash;
  await page.goto('about:blank');
  await app.open(link);
  await expect(page.getByLabel('run B', { exact: true })).toBeVisible();
  await expect(page.getByRole('application')).toHaveCount(2);
  await page.getByRole('button', { name: 'Put the run beside this one away' }).click();
  await expect(page.getByRole('application')).toHaveCount(1);
  await app.idle();
  await expect(page).not.toHaveURL(/beside=/);
});

test('both runs of a question begin with one packet, which both follow, and the caption is of A', async ({
  app,
  page,
}) => {
  await app.watchBoth('What is GRO worth?');
  await app.idle();
  const packet = /&packet=(\d+)/.exec(page.url())?.[1] ?? 'none';
  const told = page.getByRole('group', { name: 'Another run beside this one' });
  await expect(told).toContainText(`Packet ${packet} goes to net core in A, to GRO in B.`);
  for (const words of await app.stageInWords().all()) {
    await expect(words).toContainText(new RegExp(`\\bpacket ${packet}\\b`));
  }
  await expect(app.region('Caption')).toContainText('run A');
});

test('a recording of the shelf is laid beside another by keys alone', async ({ app, page }) => {
  await app.open('#v=1&trace=tcp-same-cpu&at=stage');
  await page.keyboard.press('Shift+B');
  const dialog = page.getByRole('dialog', { name: 'Another run beside this one' });
  await dialog.getByRole('button', { name: 'TCP, interrupt and process on two CPUs' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('application')).toHaveCount(2);
  await page.keyboard.press('y');
  await page.keyboard.press('y');
  const bar = page.getByRole('group', { name: 'Another run beside this one' });
  await expect(bar).toContainText('Packet 3 is at process on CPU 0 in A, on CPU 1 in B.');
  await page.keyboard.press('Shift+Y');
  await expect(bar).toContainText('Packet 0 comes to GRO');
  await app.idle();
  await expect(page).toHaveURL(/beside=tcp-cross-cpu/);
});

test('a link that lays a run beside that is not there says so, and shows the one that is', async ({
  app,
  page,
}) => {
  await app.open('#v=1&trace=loopback&at=stage&beside=nothing-of-the-kind');
  await expect(page.getByText('The run that the link lays beside this one')).toBeVisible();
  await expect(page.getByRole('application')).toHaveCount(1);
});

const ONE_EVENT = [
  '# tracer: nop',
  '     kworker-5 [000] ..s1. 100.000001: netif_receive_skb: dev=lo skbaddr=ffff888009032e00 len=84',
  '',
].join('\n');

test('a file over two runs takes the place of both, and going back lays them beside each other again', async ({
  app,
  page,
}) => {
  await app.open('#v=1&trace=tcp-same-cpu&at=stage&beside=loopback');
  await expect(page.getByRole('application')).toHaveCount(2);
  await expect.poll(() => page.workers().length).toBeGreaterThan(1);
  await app.drop([{ name: 'one.txt', bytes: Buffer.from(ONE_EVENT) }]);
  await expect(page).toHaveTitle('one.txt · Ringside');
  await app.idle();
  await expect(page.getByRole('application')).toHaveCount(1);
  await expect(page).not.toHaveURL(/beside=/);
  // The workers of the runs before are ended: theirs is the memory.
  await expect.poll(() => page.workers().length).toBe(1);
  await page.goBack();
  await expect(page.getByRole('application')).toHaveCount(2);
  await expect(app.alarm()).toHaveCount(0);
});

test('what is opened while a run is being laid beside wins, and nothing of that is left', async ({
  app,
  page,
}) => {
  await app.open('#v=1&trace=loopback&at=stage');
  let send: () => void = () => undefined;
  const isGone = new Promise<void>((resolve) => (send = resolve));
  await page.route('**/trace*.gz', async (route) => {
    await isGone;
    await route.continue();
  });
  await page.evaluate(() => (location.hash = '#v=1&trace=loopback&at=stage&beside=tcp-same-cpu'));
  await app.drop([{ name: 'one.txt', bytes: Buffer.from(ONE_EVENT) }]);
  await expect(page).toHaveTitle('one.txt · Ringside');
  send();
  await app.idle();
  await expect(page.getByRole('application')).toHaveCount(1);
  await expect(app.alarm()).toHaveCount(0);
  await expect.poll(() => page.workers().length).toBe(1);
});

test('a reload while a run is laid beside opens both again', async ({ app, page }) => {
  await app.open('#v=1&trace=loopback&at=stage');
  await page.evaluate(() => (location.hash = '#v=1&trace=loopback&at=stage&beside=tcp-same-cpu'));
  await page.reload();
  await app.idle();
  await expect(page.getByRole('application')).toHaveCount(2);
  await page.keyboard.press('Space');
  await page.reload();
  await app.idle();
  await expect(page.getByRole('application')).toHaveCount(2);
});

test('what differs is said over seeds, as the Lab says it, which is led to and not covered', async ({
  app,
  page,
}) => {
  await app.watchBoth('A flood: dropped at the socket, or by XDP?');
  await page.getByRole('button', { name: 'What differs' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Means of 6 runs on each side');
  const said = await dialog.locator('.outcomes li').first().innerText();
  await dialog.getByRole('link', { name: 'Go on with both in the Lab' }).click();
  const verdict = app.region('What comes of it').locator('.verdict');
  await expect(verdict).toContainText(said.slice(0, said.indexOf('.')));
  await expect(dialog).toHaveCount(0);
  // The question was asked of the Lab, on the way to both runs.
  await app.button('Take back the last change').click();
  await expect(app.region('What comes of it')).toContainText('Change something');
  await page.keyboard.press('Shift+U');
  await expect(verdict).toContainText(said.slice(0, said.indexOf('.')));
});

test('the film waits while one reads what differs, and what is shown of it stays on the stage', async ({
  app,
  page,
}) => {
  await app.open('#v=1&at=lab');
  await page.getByRole('link', { name: /interrupt came to the CPU where/ }).click();
  await app.region('What comes of it').getByRole('button', { name: 'Watch both' }).click();
  await expect(app.control('Pause')).toBeVisible();
  await page.keyboard.press('q');
  const dialog = app.dialog('What differs in B');
  await expect(dialog.locator('.verdict')).toBeVisible();
  // Idle is what stands still.
  await app.idle();
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-idle]')).toHaveCount(0);
  await page.keyboard.press('q');
  const waits = dialog.getByRole('listitem').filter({ hasText: 'Packets wait' }).first();
  await waits.getByRole('button', { name: 'Show it in A' }).click();
  await expect(app.control(/^Play/).first()).toBeVisible();
  await app.idle();
  const packet = /&packet=(\d+)/.exec(page.url())?.[1] ?? '';
  expect(packet).not.toBe('');
  await expect(app.stageInWords().first()).toContainText(new RegExp(`\\bpacket ${packet}\\b`));
});

test('on a phone one of both runs is seen at a time, at one moment, and one press copies the link', async ({
  app,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.setViewportSize({ width: 400, height: 800 });
  await app.open('#v=1&at=lab');
  await page.getByRole('link', { name: /interrupt came to the CPU where/ }).click();
  await app.region('What comes of it').getByRole('button', { name: 'Watch both' }).click();
  await app.control('Pause').click();
  await app.idle();
  const stage = page.getByRole('application');
  await expect(stage).toHaveCount(1);
  // Of 800 px; it was 48 with all that is said and pressed around it.
  expect((await app.stageRoom().boundingBox())?.height).toBeGreaterThan(200);
  const moment = (await app.moment().textContent()) ?? '';
  await expect(page.getByText('Interrupts go to: CPU 1')).toBeVisible();
  await page.getByRole('tab', { name: 'B', exact: true }).click();
  await expect(page.getByText('Interrupts go to: CPU 0')).toBeVisible();
  await expect(app.moment()).toHaveText(moment);
  expect(await app.accessibilityProblems()).toEqual([]);
  // The frame comes into the ring, at the foot of the stage: that is in sight.
  await page.keyboard.press('y');
  await expect
    .poll(() =>
      app.stageRoom().evaluate((room) => room.scrollHeight - room.scrollTop - room.clientHeight),
    )
    .toBeLessThan(30);
  await app.banner().getByRole('button', { name: /link/ }).click();
  await expect(app.said()).toHaveText('The link to this view is copied.');
  await expect(app.said()).toBeInViewport();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('&beside=');
});
