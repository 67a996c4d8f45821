/** Where CPU time went: of a simulation by function, of a recording by who ran, and of two runs. */
import { readFile } from 'node:fs/promises';
import { expect, test } from './test.ts';

test('a flame graph is looked into by keys, and its table follows', async ({ app, page }) => {
  await app.open('#v=1&at=stage&trace=loopback');
  await page.getByRole('tab', { name: 'Profile' }).click();
  const panel = page.getByRole('tabpanel', { name: 'Profile' });
  await expect(panel).toContainText('tracepoints, no samples');
  const table = panel.getByRole('table', { name: 'What took the time' });
  await expect(table).toContainText('tsend');
  await expect(table).toContainText('NET_RX');
  await panel.getByRole('radio', { name: 'Each CPU' }).check();
  const bars = panel.locator('svg .bar');
  const third = panel.getByRole('button', { name: /^CPU 3: / });
  await third.focus();
  // One of the bars is a tab stop; the arrow keys lead to the others.
  await expect(panel.locator('svg .bar[tabindex="0"]')).toHaveCount(1);
  await page.keyboard.press('ArrowUp');
  await expect(bars.first()).toBeFocused();
  await third.focus();
  await page.keyboard.press('Enter');
  await expect(table).toContainText('trecv');
  await expect(table).not.toContainText('urecv');
  expect(await app.accessibilityProblems()).toEqual([]);
  await panel.getByRole('button', { name: 'Show the whole' }).click();
  await expect(table).toContainText('urecv');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: 'SVG' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('Profile.svg');
});

test('bars and table are parts of the time of all CPUs, idle time among them', async ({
  app,
  page,
}) => {
  await app.open('#v=1&at=stage&trace=udp-fragments&panel=profile');
  const panel = page.getByRole('tabpanel', { name: 'Profile' });
  const whole = await panel.getByRole('button', { name: /^All CPUs: 100\s%/ }).boundingBox();
  const unknown = panel.getByRole('button', { name: /^not recorded: 25\s%/ });
  const part = (await unknown.boundingBox())!.width / whole!.width;
  expect(part).toBeGreaterThan(0.22);
  expect(part).toBeLessThan(0.28);
  const table = panel.getByRole('table', { name: 'What took the time' });
  await expect(table.getByRole('row', { name: /^idle 7\d\s%/ })).toBeVisible();
});

test('a simulation tells its functions, and beside a second run what each takes in both', async ({
  app,
  page,
}) => {
  await app.watchBoth('A flood: dropped at the socket, or by XDP?');
  // Two stages beside each other leave room for the panel on a wide screen alone.
  await page.setViewportSize({ width: 1920, height: 1000 });
  await page.getByRole('tab', { name: 'Profile' }).click();
  const panel = page.getByRole('tabpanel', { name: 'Profile' });
  const table = panel.getByRole('table', { name: 'What took the time' });
  await expect(table.getByRole('columnheader', { name: 'B less A' })).toBeVisible();
  // A bar says what it has in both; in the widths of A those of B alone are gone.
  const bar = panel.getByRole('button', { name: /bpf_prog_run_xdp: 0\s% in A, .* in B/ });
  await panel.getByRole('radio', { name: 'B', exact: true }).check();
  await expect(bar.first()).toBeVisible();
  await panel.getByRole('radio', { name: 'A', exact: true }).check();
  await expect(bar).toHaveCount(0);
  expect(await app.accessibilityProblems()).toEqual([]);
  await expect(table.getByRole('row', { name: /bpf_prog_run_xdp/ })).toContainText(
    /0\s%\s*[\d.]+\s%\s*\+\d/,
  );
  await expect(page).toHaveURL(/panel=profile/);
  await page.getByRole('button', { name: 'Put the run beside this one away' }).click();
  await expect(table.getByRole('columnheader', { name: 'Calls' })).toBeVisible();
});

test('a simulation tells lines, spinning by lock and caller, and who calls a function', async ({
  app,
  page,
}) => {
  const scenario = JSON.stringify({
    ...{ machine: 'pii-xeon-400-4way', kernel: '2.2.14', workload: 'netperf-rr' },
    ...{ seed: 1, duration_us: 5000, warmup_us: 1000 },
    settings: { cpus: 4, connections: 16, nics: 1, message_bytes: 4 },
  });
  await app.open(`#v=1&at=stage&panel=profile&scenario=${encodeURIComponent(scenario)}`);
  const panel = page.getByRole('tabpanel', { name: 'Profile' });
  await panel.getByRole('radio', { name: 'Waiting for locks' }).check();
  await expect(panel.getByRole('button', { name: /^kernel_lock: [\d.]+\s%, / })).toBeVisible();
  const locks = panel.getByRole('table', { name: 'Locks' });
  await expect(locks.getByRole('row', { name: /kernel_lock syscall_entry/ })).toContainText('%');
  await panel.getByRole('radio', { name: 'Lines' }).check();
  const table = panel.getByRole('table', { name: 'What took the time' });
  await expect(table.getByRole('columnheader', { name: 'Lines' })).toBeVisible();
  await table.getByRole('row').nth(1).getByRole('button').click();
  await expect(panel.getByRole('table', { name: /^Around/ })).toContainText('Paths that call it');
  await expect(panel).toContainText('The model has no call stacks');
  expect(await app.accessibilityProblems()).toEqual([]);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: 'SVG' }).click(),
  ]);
  const text = (await readFile(await file.path())).toString();
  expect(text).toContain('Where the CPUs were; width: Lines');
  expect(text).toContain('4 CPUs');
});
