/** What if: something is done to a simulated run, and the run that comes of it stands beside it; the tree of forks. */
import { expect, test } from './test.ts';

const scenario = {
  ...{ machine: 'current-server', kernel: '6.1', workload: 'iperf-link', seed: 1 },
  settings: { cpus: 2, connections: 1, peer: 'current-server', message_bytes: 16384 },
  duration_us: 2500,
};
const link = `#v=1&at=stage&t=1500000&packet=500&scenario=${encodeURIComponent(JSON.stringify(scenario))}`;

test('a packet is lost: both runs stand beside each other, the link holds it, and undo goes back', async ({
  app,
  page,
}) => {
  await app.open(link);
  await app.idle();
  await page.keyboard.press('b');
  await expect(page.getByText('Packet 500, as it comes in at')).toBeVisible();
  await page.getByRole('button', { name: /Lose a frame/ }).click();
  const bar = page.getByRole('group', { name: 'Another run beside this one' });
  await expect(bar).toContainText(
    /Packet 500 is lost; what it carried is sent again and comes .* later/,
  );
  await expect(page.getByRole('application')).toHaveCount(2);
  await expect(page.getByRole('button', { name: /^Lose a frame at/ }).first()).toBeAttached();
  await app.idle();
  await expect(page).toHaveURL(/beside=.*drop_frame.*forks=/);
  expect(await app.accessibilityProblems()).toEqual([]);

  // Other seeds change the throughput by more than the frame does, whatever these two runs gave.
  await page.getByRole('button', { name: 'What differs' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.locator('.verdict')).toBeVisible();
  await expect(dialog.getByRole('row', { name: /^Throughput/ })).toContainText('noise ±');
  await page.keyboard.press('Escape');

  const address = new URL(page.url()).hash;
  await page.goto('about:blank');
  await app.open(address);
  await expect(page.getByRole('application')).toHaveCount(2);
  await page.keyboard.press('b');
  const tree = page.getByRole('list', { name: 'Forks of this run' });
  await expect(tree.getByRole('button', { name: /^Remove/ })).toHaveCount(1);
  await expect(tree).toContainText('Frames lost on the link');
  expect(await app.accessibilityProblems()).toEqual([]);
});

test('undo goes back through forks, and redo makes them again', async ({ app, page }) => {
  await app.open(link);
  await app.idle();
  await page.keyboard.press('b');
  await page.getByRole('button', { name: /Double a frame/ }).click();
  await expect(page.getByRole('application')).toHaveCount(2);
  await app.idle();
  await page.getByRole('application').first().focus();
  await page.keyboard.press('u');
  await expect(page.getByRole('application')).toHaveCount(1);
  await app.idle();
  await expect(page).not.toHaveURL(/forks=/);
  await page.keyboard.press('Shift+U');
  await expect(page.getByRole('application')).toHaveCount(2);
  await app.idle();
  await expect(page).toHaveURL(/duplicate_frame.*forks=/);
});

test('a handle of the thing on the stage changes it, by keys alone; a fork of that, and a branch taken away', async ({
  app,
  page,
}) => {
  await page.setViewportSize({ width: 1700, height: 900 });
  await app.open(link);
  await app.idle();
  await page.getByRole('application').focus();
  const told = page.locator('.stage [id$="-focus"]').first();
  const walk = async (way: string, until: RegExp) => {
    for (let step = 0; step < 40; step++) {
      const before = (await told.textContent()) ?? '';
      if (until.test(before)) return;
      await page.keyboard.press(way);
      await expect(told).not.toHaveText(before);
    }
  };
  await walk('ArrowDown', /^\s*(rx )?ring/i);
  await expect(told).toContainText('Press to change it');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'What to change' })).toHaveValue('nic');
  const ring = page.getByRole('spinbutton', { name: /Receive ring/ });
  await ring.fill('32');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('application')).toHaveCount(2);
  const tree = page.getByRole('list', { name: 'Forks of this run' });
  await expect(tree).toContainText('32');
  await app.idle();
  // The handle is turned on: still one fork.
  await ring.fill('16');
  await page.keyboard.press('Tab');
  await expect(tree).toContainText('16');
  await expect(tree.getByRole('button', { name: /^Remove/ })).toHaveCount(1);
  await app.idle();
  await tree.getByRole('button', { name: /^Show it alone.*16/ }).click();
  await expect(page.getByRole('application')).toHaveCount(1);
  await app.idle();
  await page.getByRole('combobox', { name: 'What to change' }).selectOption('CPUs');
  await page.getByRole('button', { name: /Take a CPU away/ }).click();
  await expect(tree.getByRole('button', { name: /^Remove/ })).toHaveCount(2);
  await expect(page.getByRole('application')).toHaveCount(2);
  await app.idle();
  expect(await app.accessibilityProblems()).toEqual([]);
  await tree.getByRole('button', { name: /^Remove.*16/ }).click();
  await expect(page.getByRole('application')).toHaveCount(1);
  await expect(tree).toHaveCount(0);
  await app.idle();
  await expect(page).not.toHaveURL(/forks=/);
});
