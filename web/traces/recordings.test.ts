/** The recordings as the page sees them: each is whole. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findRecording } from './recordings.ts';

const all = readdirSync(join(import.meta.dirname, '../../traces'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'capture')
  .map(({ name }) => findRecording(name)!);

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
