/** What became of a frame that was lost is the first that is said of the run that comes of it. */
import { expect, test } from 'vitest';
import type { Parting } from '../core/abreast.ts';
import type { Change } from '../session/forks.ts';
import { touchedText } from './touched.ts';

const fault = { atUs: 1438, atNs: 942, isSent: false, arguments: {} };
const lost: Change = { kind: 'fault', fault: { ...fault, kind: 'drop_frame' } };
const packet = { kind: 'name', value: '500' } as const;

const parting = (code: string): Parting => ({
  at: 663_033,
  kind: code === 'abreast.later' ? 'time' : 'missing',
  packets: [500, code === 'abreast.later' ? 543 : undefined],
  saying: { code, values: { packet, by: { kind: 'nanos', value: 378_000 } }, isInferred: false },
});
const startsAt = 775_909;

test('a frame that was lost comes again, or does not', () => {
  expect(touchedText(lost, parting('abreast.later'), startsAt)).toMatch(
    /500 is lost.*378.µs later/,
  );
  expect(touchedText(lost, parting('abreast.only.first'), startsAt)).toMatch(/does not come again/);
});

test('of another change, and where both part at another packet, nothing is said', () => {
  const doubled: Change = { kind: 'fault', fault: { ...fault, kind: 'duplicate_frame' } };
  expect(touchedText(doubled, parting('abreast.later'), startsAt)).toBeUndefined();
  expect(touchedText(lost, parting('abreast.later'), 0)).toBeUndefined();
  expect(touchedText(lost, undefined, startsAt)).toBeUndefined();
  expect(touchedText(undefined, parting('abreast.later'), startsAt)).toBeUndefined();
});
