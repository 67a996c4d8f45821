/** The shelf as the page sees it: every recording stands on it once, whole. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findRecording, shelf } from './recordings.ts';

const folder = join(import.meta.dirname, '../../traces');
const all = shelf.flatMap(({ recordings }) => recordings);

test('every recording is on the shelf once', () => {
  const folders = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'capture')
    .map(({ name }) => name);
  expect(all.map(({ slug }) => slug).sort()).toEqual(folders.sort());
});

test('each has its trace first, and says what to look at and on what it was recorded', () => {
  for (const recording of all) {
    expect(recording.files[0]?.name, recording.slug).toMatch(/^trace\./);
    expect(recording.lookAt.length, recording.slug).toBeGreaterThan(0);
    expect(recording.kernel, recording.slug).not.toBe('');
    expect(recording.lines, recording.slug).toBeGreaterThan(0);
  }
});

test('a capture of the link comes with the offset of its clock, in nanoseconds', () => {
  const loss = findRecording('tcp-loss');
  expect(loss?.files.map(({ name }) => name)).toEqual(['trace.txt.gz', 'wire.pcap.gz']);
  expect(loss?.clockOffset).toBeGreaterThan(1e18);
  expect(findRecording('loopback')?.clockOffset).toBeUndefined();
});

test('a name that is not on the shelf is not found', () => {
  expect(findRecording('__proto__')).toBeUndefined();
});
