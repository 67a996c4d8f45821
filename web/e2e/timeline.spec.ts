/** The time line: zooming by key, button and wheel, and a range that is measured. */
import { readFile } from 'node:fs/promises';
import { expect, test } from './test.ts';

test('the time line zooms in by key and wheel, and fits again', async ({ app, page }) => {
  await app.open('#v=1&trace=udp-fragments&at=stage');
  await page.keyboard.press('e');
  const line = app.region('Time line');
  const inView = line.getByText(/in view$/);
  // It opens where something happens: 274 of 763 ms.
  await expect(inView).toHaveText(/^27\d/);
  await page.keyboard.press('w');
  await expect(inView).toHaveText(/^18\d/);
  await line.getByRole('button', { name: 'Fit the whole run' }).click();
  await expect(inView).toHaveText(/^763/);
  await line.hover({ position: { x: 600, y: 80 } });
  await page.mouse.wheel(0, -400);
  await expect(inView).not.toHaveText(/^763/);
  await expect(page).toHaveURL(/zoom=\d+-\d+/);
});

for (const [what, key] of [
  ['slim', undefined],
  ['with all its lanes', 'e'],
] as const) {
  test(`the time line ${what} is dragged, zoomed at the pointer, and pressed`, async ({
    app,
    page,
  }) => {
    await app.open('#v=1&trace=udp-fragments&at=stage&t=200000000&zoom=190000000-290000000');
    if (key !== undefined) await page.keyboard.press(key);
    const lanes = app.lanes();
    await lanes.hover({ position: { x: 300, y: 20 } });
    await page.mouse.down();
    await page.mouse.move((await app.leftOf(lanes)) + 200, (await app.topOf(lanes)) + 20);
    await page.mouse.up();
    const stretch = () => {
      const [, from, to] = /zoom=(\d+)-(\d+)/.exec(page.url()) ?? [];
      return { from: Number(from), length: Number(to) - Number(from) };
    };
    await expect.poll(() => stretch().from).toBeGreaterThan(195_000_000);
    expect(Math.abs(stretch().length - 1e8)).toBeLessThan(1000);
    await page.mouse.wheel(0, -300);
    await expect.poll(() => stretch().length).toBeLessThan(90_000_000);
    await lanes.click({ position: { x: 400, y: 20 } });
    await expect(page).not.toHaveURL(/t=200000000/);
  });
}

test('a drop under the pointer says why, and a press goes to its packet', async ({ app, page }) => {
  await app.open('#v=1&trace=socket-buffer-overflow&at=stage&t=131000000&zoom=130000000-160000000');
  const lanes = app.lanes();
  const tip = page.getByText(/^Packet \d+ is dropped: SOCKET_RCVBUFF$/);
  const width = (await lanes.boundingBox())?.width ?? 0;
  for (let x = 0; x < width && !(await tip.isVisible()); x += 6) {
    await lanes.hover({ position: { x, y: 4 } });
    await app.idle();
  }
  const packet = /\d+/.exec((await tip.textContent()) ?? '')?.[0];
  await page.mouse.down();
  await page.mouse.up();
  await expect(page).toHaveURL(new RegExp(`packet=${packet}&follow=1`));
});

test('a flag tells what was found, a press plays it, a double press zooms to it', async ({
  app,
  page,
}) => {
  await app.open('#v=1&trace=udp-fragments&at=stage');
  const flag = app.flag(/^4 · The longest wait/);
  await flag.hover();
  await expect(app.tooltip()).toContainText('The longest wait: 4.43');
  await flag.dblclick();
  await app.control('Pause').click();
  await expect(page).toHaveURL(/packet=65&follow=1/);
  await expect
    .poll(() => {
      const [, from, to] = /zoom=(\d+)-(\d+)/.exec(page.url()) ?? [];
      return Number(to) - Number(from);
    })
    .toBeLessThan(10_000_000);
});

test('a range in a link is measured', async ({ app, page }) => {
  await app.open('#v=1&trace=udp-fragments&at=stage&range=190000000-200000000');
  const measures = page.getByRole('heading', { name: /^Range of 10/ });
  await expect(measures).toBeVisible();
  await expect(page.getByRole('row', { name: /8 to 9/ })).toBeVisible();
});

test('a moment can be typed, and what is no moment says so', async ({ app, page }) => {
  await app.open('#v=1&trace=udp-fragments&at=stage');
  await page.keyboard.press(':');
  const field = page.getByRole('textbox', { name: 'Go to a moment' });
  await expect(field).toBeFocused();
  await field.fill('soon');
  await field.press('Enter');
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(
    '“soon” is no moment. Write a number with ns, µs, ms or s, such as 12.3 ms.',
  );
  expect(await app.accessibilityProblems()).toEqual([]);
  await field.fill('0.2 s');
  await field.press('Enter');
  await expect(app.moment()).toHaveText(/^200\.000.000\sms$/);
  await expect(page).toHaveURL(/t=200000000/);
  await page.keyboard.press(':');
  await field.press('Escape');
  await expect(field).toHaveCount(0);
  await expect(app.moment()).toHaveText(/^200/);
});

test('the time line zooms to the packet that is chosen, by key', async ({ app, page }) => {
  await app.open('#v=1&trace=udp-fragments&at=stage&t=234000000&packet=65');
  await page.keyboard.press('o');
  await expect(page).toHaveURL(/zoom=2[23]\d+-2[34]\d+/);
});

test('a machine of hundreds of CPUs leaves room for the stage', async ({ app, page }) => {
  await app.open();
  const lines = Array.from(
    { length: 500 },
    (_, cpu) =>
      `1 ev softirq_raise ts 1.${String(cpu).padStart(6, '0')} cpu ${cpu} ctx softirq vec 3`,
  );
  const buffer = Buffer.from(['# kperf 2', ...lines].join('\n'));
  await page
    .getByLabel('Trace files')
    .setInputFiles({ name: 'cpus.txt', mimeType: 'text/plain', buffer });
  await expect(app.transport()).toBeVisible();
  await app.idle();
  const stage = await app.region('Stage').boundingBox();
  expect(stage?.height).toBeGreaterThan(300);
  await page.getByRole('tab', { name: 'Packets', exact: true }).click();
  await expect(page.getByRole('tab', { name: 'All packets' })).toBeVisible();
});

test('the time line is saved with its axis, its rows, what the colours mean and where it is from', async ({
  app,
  page,
}) => {
  await app.open('#v=1&trace=socket-buffer-overflow&at=stage&zoom=130000000-160000000');
  await page.keyboard.press('e');
  const line = app.region('Time line');
  const save = async (format: string) => {
    const saving = page.waitForEvent('download');
    await line.getByRole('button', { name: new RegExp(`^${format}\\s*: Time line$`) }).click();
    const file = await saving;
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
  };
  const { name, bytes } = await save('SVG');
  expect(name).toBe('Time-line.svg');
  const texts = [...bytes.toString().matchAll(/<text[^>]*>([^<]+)</g)].map(([, text = '']) =>
    text.replace(/\s/g, ' ').trim(),
  );
  // An axis, rows (also those that are scrolled out of view), and what colours mean.
  expect(texts).toEqual(expect.arrayContaining(['140 ms', 'CPU 0', 'drops', 'softirq']));
  expect(texts.filter((text) => text.startsWith('≤')).length).toBeGreaterThan(1);
  expect(texts.join(' ')).toContain('from 0.130 000 000 s to 0.160 000 000 s of the run');
  expect(texts.join(' ')).toContain('recorded · Ringside');
  const png = await save('PNG');
  expect(png.bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(await app.accessibilityProblems()).toEqual([]);
});
