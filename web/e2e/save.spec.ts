/** A run is saved for other programs, and what cannot be saved is said. */
import { readFile } from 'node:fs/promises';
import { expect, test } from './test.ts';

test('a recording is saved for Perfetto, for Wireshark, and to be opened here again', async ({
  app,
  page,
}) => {
  await app.open('#v=1&trace=udp-fragments&at=stage');
  await page.keyboard.press('Control+s');
  const dialog = page.getByRole('dialog', { name: 'Save the run as a file' });
  const save = async (format: string) => {
    const saving = page.waitForEvent('download');
    await dialog.getByRole('button', { name: format }).click();
    const file = await saving;
    await expect(dialog.getByRole('status')).toContainText(`${format}: `);
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
  };
  expect(await app.accessibilityProblems()).toEqual([]);
  const chrome = await save('Chrome JSON');
  expect(chrome.name).toBe('UDP-datagrams-in-six-fragments.trace.json');
  const { otherData, traceEvents } = JSON.parse(chrome.bytes.toString()) as {
    otherData: { origin: string };
    traceEvents: { ph: string }[];
  };
  expect(otherData.origin).toBe('recorded');
  expect(traceEvents.filter(({ ph }) => ph === 's').length).toBeGreaterThan(40);
  const pcapng = await save('pcapng');
  expect(pcapng.bytes.subarray(0, 4).toString('hex')).toBe('0a0d0d0a');
  const kperf = await save('kperf 2');
  expect(kperf.bytes.toString()).toMatch(/^# kperf 2\n# origin: recorded\n/);
  const ftrace = await save('ftrace text');
  expect(ftrace.bytes.toString()).toMatch(/^# tracer: nop\n/);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('a recording of which nobody captured the link has no frames to save', async ({
  app,
  page,
}) => {
  await app.open('#v=1&trace=loopback&at=stage');
  await page.getByRole('button', { name: 'Save the run as a file' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save the run as a file' });
  await dialog.getByRole('button', { name: 'pcapng' }).click();
  await expect(dialog.getByRole('status')).toContainText('No frame of the link');
});
