/** What a profile says of its places: bars and rows are parts of one whole, which is named. */
import { expect, test } from 'vitest';
import type { Profile } from '../core/profile.ts';
import { barsOf, rowsOf, treeOf } from '../scene/profile/flame.ts';
import { weightOf, type Weight } from '../scene/profile/weights.ts';
import { barText, baseText, weightText } from './names.ts';

const SPINNING = 9;
const stack = (context: number, within: readonly string[], nanos: number) => ({
  ...{ cpu: 0, context, within, nanos, calls: nanos / 100, lines: nanos / 50 },
});
const profile: Profile = {
  ...{ source: 'charged', elapsed: 10_000, cpus: 2, locks: [], rest: 0 },
  stacks: [
    stack(2, ['recv', 'tcp_recvmsg'], 4000),
    stack(3, ['rx', 'tcp_v4_rcv'], 3000),
    stack(SPINNING, ['kernel_lock'], 2000),
  ],
};

test.each(['time', 'spin', 'lines', 'calls'] as const)(
  'a bar and its row say the same amount by %s',
  (weight: Weight) => {
    const tree = treeOf(profile, false, (one) => weightOf(weight, one, SPINNING));
    const bars = barsOf(tree, '', 0);
    const rows = rowsOf(tree, '');
    expect(rows.length).toBeGreaterThan(0);
    for (const { name, weight: value } of rows) {
      const bar = bars.find(({ place }) => place.name === name);
      const said = barText(name, weight, bar?.weight ?? 0, bars[0]?.weight ?? 0, profile);
      expect(said).toContain(`${name}: ${weightText(weight, value, profile)}, `);
    }
  },
);

test('what was spun is a part of what the CPUs had, as all time is', () => {
  expect(barText('kernel_lock', 'spin', 2000, 2000, profile)).toMatch(/^kernel_lock: 10\s%, 2\D/);
  expect(baseText('spin', profile, false)).toMatch(/the time that these CPUs had: 20\D/);
  expect(baseText('lines', profile, false)).toContain('the bar on top');
});
