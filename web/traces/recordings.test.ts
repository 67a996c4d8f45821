/** The recordings as the page sees them: each is whole. */
import { expect, test } from 'vitest';
import { recordingsOnDisk } from '../core/on-disk.ts';
import { findRecording } from './recordings.ts';

const all = recordingsOnDisk().map((slug) => findRecording(slug)!);

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
