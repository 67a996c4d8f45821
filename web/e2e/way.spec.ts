/**
 * The whole way through the Lab by keyboard alone: change, compare, fork, sweep, open a point, save, send the link.
 * Whatever is acted on is reached by Tab, and axe finds nothing at any stop.
 */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './test.ts';
import { Visualizer } from './visualizer.ts';

/** Controls that Tab passes at most, on the longest of the ways. */
const MOST_TABS = 250;

/** Presses Tab until it is the one that has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${target.toString()}`);
}

async function enter(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
  // It is taken when the field is left.
  await page.keyboard.press('Tab');
}

/** A choice of a list is typed, as its first letters. */
async function choose(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.type(text);
}

const scenario = {
  ...{ machine: 'current-server', kernel: '6.1', workload: 'iperf-link', seed: 1 },
  settings: { cpus: 2, connections: 2, peer: 'current-server', message_bytes: 16384 },
  duration_us: 3000,
};

test('change, compare, fork, sweep, open a point, save and send the link, by keyboard alone', async ({
  app,
  page,
}) => {
  test.slow();
  const isClean = async () => expect(await app.accessibilityProblems()).toEqual([]);
  await app.open(`#v=1&at=lab&scenario=${encodeURIComponent(JSON.stringify(scenario))}`);

  // Change one thing and compare: what the interrupts' CPU makes of it.
  await choose(page, app.field('Interrupts go to'), 'CPU 1');
  const result = app.region('What comes of it');
  await expect(result.getByRole('listitem').first()).toContainText('Interrupts go to');
  await expect(result.locator('.verdict')).toBeVisible();
  await app.idle();
  await isClean();

  // Watch it, and fork it at a moment.
  await tabTo(page, result.getByRole('button', { name: 'Watch it' }));
  await page.keyboard.press('Enter');
  await expect(app.transport()).toBeVisible();
  await app.idle();
  await isClean();
  await tabTo(page, app.slider());
  await page.keyboard.press('ArrowRight');
  await app.idle();
  await page.keyboard.press('b');
  await choose(page, page.getByRole('combobox', { name: 'What to change' }), 'CPUs');
  await tabTo(page, page.getByRole('button', { name: /Take a CPU away/ }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('application')).toHaveCount(2);
  await app.idle();
  await isClean();
  await page.keyboard.press('Shift+L');
  await expect(result).toContainText('Throughput');
  await app.idle();

  // Sweep a setting, with a curve for each value of another.
  const sweep = app.region('Sweep: a setting or two over a range');
  const number = (name: string) => sweep.getByRole('spinbutton', { name });
  await choose(page, sweep.getByRole('combobox', { name: 'Setting' }), 'Receive ring');
  await enter(page, number('From'), '4');
  await enter(page, number('To'), '256');
  await enter(page, number('Values'), '4');
  await enter(page, number('Seeds at each'), '1');
  await choose(page, sweep.getByRole('combobox', { name: 'A curve for each' }), 'Connections');
  await enter(page, sweep.getByRole('textbox', { name: /^Values of Connections/ }), '1, 2');
  await tabTo(page, sweep.getByRole('button', { name: 'Run it 8 times' }));
  await page.keyboard.press('Enter');
  await expect(sweep.getByRole('status').first()).toHaveText('8 of 8 runs');
  const points = sweep.getByRole('group', { name: /^The curve/ }).getByRole('link');
  await expect(points).toHaveCount(8);
  await isClean();

  // Open a point of the second curve: its run, with both settings.
  const point = points.nth(5);
  await expect(point).toHaveAccessibleName(/^Connections: 2, 16 descriptors: /);
  await tabTo(page, point);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/connections%22:2.*rx_ring%22:16[,%].*at=stage/);
  await expect(app.transport()).toBeVisible();
  await app.idle();
  await isClean();

  // Save it for another program, and follow the link to the same moment.
  await page.keyboard.press('Control+s');
  const save = app.dialog('Save the run as a file');
  const saving = page.waitForEvent('download');
  await tabTo(page, save.getByRole('button', { name: 'pcapng' }));
  await page.keyboard.press('Enter');
  expect((await saving).suggestedFilename()).toMatch(/\.pcapng$/);
  await isClean();
  await page.keyboard.press('Escape');
  await tabTo(page, app.slider());
  await page.keyboard.press('ArrowRight');
  await app.idle();
  const moment = (await app.moment().textContent()) ?? '';
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.keyboard.press('c');
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain('rx_ring%22:16');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.goto('about:blank');
  await app.open(new URL(link).hash);
  await expect(app.moment()).toHaveText(moment);
});

test('a newcomer asks what pinning the interrupts changes, and sends the answer', async ({
  app,
  page,
}) => {
  await app.open();
  await tabTo(page, app.place('Lab'));
  await page.keyboard.press('Enter');
  await app.idle();
  await tabTo(page, page.getByRole('link', { name: /what does it change to pin the interrupts/ }));
  await page.keyboard.press('Enter');
  const result = app.region('What comes of it');
  await expect(result.getByRole('listitem').first()).toContainText('Interrupts go to');
  await expect(result.locator('.verdict')).toBeVisible();
  const said = await result.locator('.verdict').innerText();
  await app.idle();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await tabTo(page, result.getByRole('button', { name: 'Copy the link' }));
  await page.keyboard.press('Enter');
  await expect(app.seenSaid()).toHaveText('The link to this view is copied.');
  await expect(app.seenSaid()).toBeInViewport();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.goto('about:blank');
  await app.open(new URL(link).hash);
  await expect(result.locator('.verdict')).toHaveText(said, { useInnerText: true });
});

test('a newcomer pins the interrupts by their handle, watches both runs, and sends them as a link', async ({
  app,
  page,
  browser,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await app.open();
  await page.getByRole('link', { name: 'Or change a host and see what comes of it' }).click();
  await app.idle();

  // Two CPUs with something going on; the handle, the answer and its link are on the first screen.
  const result = app.region('What comes of it');
  await expect(app.field('CPUs')).toHaveValue('2');
  await expect(app.field('Interrupts go to')).toBeInViewport();
  await app.field('Interrupts go to').selectOption('each NIC’s own CPU (CPU 0, 1)');
  const verdict = result.locator('.verdict');
  await expect(verdict).toContainText(/changes its CPU .* times instead of/);
  await expect(verdict).toBeInViewport({ ratio: 1 });
  const copy = result.getByRole('button', { name: 'Copy the link to this answer' });
  await expect(copy).toBeInViewport({ ratio: 1 });
  await app.idle();
  const said = await verdict.innerText();
  await copy.click();
  await expect.poll(copied).toContain('&before=');
  const answer = await copied();

  // Both runs, a packet that shows it, and the link to just that.
  await result.getByRole('button', { name: 'Watch both' }).click();
  await expect(page.getByRole('application')).toHaveCount(2);
  await app.control('Pause').click();
  await app.idle();
  await page.getByRole('button', { name: 'What differs' }).click();
  const slowest = page.getByRole('dialog').getByRole('row', { name: /^Time on the way, 99 %/ });
  await slowest.getByRole('button').first().click();
  await expect(page).toHaveURL(/packet=\d+/);
  await app.idle();
  const moment = (await app.moment().textContent()) ?? '';
  await page.getByRole('button', { name: 'Copy a link to this view' }).click();
  await expect.poll(copied).toContain('&beside=');
  const both = await copied();
  const packet = /packet=\d+/.exec(both)?.[0] ?? 'no packet';

  // Whoever gets them sees the same, in a browser that has never been here.
  const fresh = await browser.newContext();
  const other = new Visualizer(await fresh.newPage());
  await other.page.goto(answer);
  await expect(other.region('What comes of it').locator('.verdict')).toHaveText(said, {
    useInnerText: true,
  });
  await other.page.goto('about:blank');
  await other.page.goto(both);
  await expect(other.page.getByRole('application')).toHaveCount(2);
  await other.idle();
  await expect(other.moment()).toHaveText(moment);
  await expect(other.page).toHaveURL(new RegExp(packet));
  await fresh.close();
});
