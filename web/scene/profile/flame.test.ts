/** Trees and bars of constructed profiles, as text, and invariants of all profiles. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProfileStack } from '../../core/profile.ts';
import { barsOf, barTowards, rowsOf, treeOf, weightsOf } from './flame.ts';
import { offeredWeights, rateOf, weightOf } from './weights.ts';

const stack = (cpu: number, context: number, way: string, nanos: number, calls?: number) =>
  ({
    cpu,
    context,
    within: way === '' ? [] : way.split('/'),
    nanos,
    calls,
    lines: calls === undefined ? undefined : 2 * calls,
  }) satisfies ProfileStack;

const stacks = [
  stack(0, 2, 'recv/tcp_recvmsg', 300, 3),
  stack(0, 2, 'recv/copy', 100, 6),
  stack(0, 3, 'rx/tcp_v4_rcv', 200, 4),
  stack(1, 3, 'rx/tcp_v4_rcv', 300, 6),
  stack(1, 1, '', 100),
];

const drawn = (isByCpu: boolean, zoomed = '', least = 0) =>
  barsOf(treeOf({ stacks }, isByCpu), zoomed, least).map(
    ({ place, row, from, to, weight }) =>
      `${'  '.repeat(row)}${place.kind} ${place.name} ${from.toFixed(2)}-${to.toFixed(2)} ${weight}`,
  );

test('all CPUs are one, or each has a place', () => {
  expect(drawn(false)).toEqual([
    'all  0.00-1.00 1000',
    '  context 3 0.00-0.50 500',
    '    within rx 0.00-0.50 500',
    '      within tcp_v4_rcv 0.00-0.50 500',
    '  context 2 0.50-0.90 400',
    '    within recv 0.50-0.90 400',
    '      within tcp_recvmsg 0.50-0.80 300',
    '      within copy 0.80-0.90 100',
    '  context 1 0.90-1.00 100',
  ]);
  expect(drawn(true).filter((line) => line.includes('cpu'))).toEqual([
    '  cpu 0 0.00-0.60 600',
    '  cpu 1 0.60-1.00 400',
  ]);
});

test('arrows lead along a row, down to the widest part and up to the whole, and reach every bar', () => {
  const bars = barsOf(treeOf({ stacks }, false), '', 0);
  const walk = (...keys: readonly string[]) =>
    keys.reduce((at, key) => barTowards(bars, at, key) ?? at, bars[0]!).place.name;
  expect(walk('ArrowDown')).toBe('3');
  expect(walk('ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowDown')).toBe('tcp_recvmsg');
  expect(walk('ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight')).toBe('1');
  expect(walk('ArrowDown', 'ArrowRight', 'ArrowLeft', 'ArrowUp')).toBe('');
  const reached = new Set([bars[0]!]);
  for (const bar of reached)
    for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']) {
      const next = barTowards(bars, bar, key);
      if (next !== undefined) reached.add(next);
    }
  expect(reached.size).toBe(bars.length);
});

test('who is zoomed to has the whole width, below what it is in', () => {
  expect(drawn(false, '\n2')).toEqual([
    'all  0.00-1.00 1000',
    '  context 2 0.00-1.00 400',
    '    within recv 0.00-1.00 400',
    '      within tcp_recvmsg 0.00-0.75 300',
    '      within copy 0.75-1.00 100',
  ]);
  expect(drawn(false, 'nowhere')).toEqual(drawn(false));
});

test('what is too narrow is not drawn', () => {
  expect(drawn(false, '', 0.2).some((line) => line.includes('copy'))).toBe(false);
});

test('rows are of what ran, over all CPUs, and of the place alone', () => {
  const tree = treeOf({ stacks }, true);
  expect(rowsOf(tree, '')).toEqual([
    { name: 'tcp_v4_rcv', context: 3, weight: 500, nanos: 500, calls: 10, lines: 20 },
    { name: 'tcp_recvmsg', context: 2, weight: 300, nanos: 300, calls: 3, lines: 6 },
    { name: 'copy', context: 2, weight: 100, nanos: 100, calls: 6, lines: 12 },
    { name: '', context: 1, weight: 100, nanos: 100, calls: undefined, lines: undefined },
  ]);
  expect(rowsOf(tree, '\n1').map(({ nanos }) => nanos)).toEqual([300, 100]);
});

test('a graph is as wide as what it is to show, and who has none of it has no bar', () => {
  const calls = treeOf({ stacks }, false, (one) => weightOf('calls', one, 5));
  expect(barsOf(calls, '', 0).map(({ place, weight }) => `${place.name} ${weight}`)).toEqual([
    ...[' 19', '3 10', 'rx 10', 'tcp_v4_rcv 10'],
    ...['2 9', 'recv 9', 'copy 6', 'tcp_recvmsg 3'],
  ]);
  // Of a row the time stands beside it still.
  expect(rowsOf(calls, '')[0]).toMatchObject({ name: 'tcp_v4_rcv', weight: 10, nanos: 500 });
});

test('spinning weighs time and calls nothing', () => {
  const spun = stack(0, 5, 'kernel_flag/send/tcp_sendmsg', 40, 2);
  const weighed = (['time', 'lines', 'spin', 'calls'] as const).map((one) =>
    weightOf(one, spun, 5),
  );
  expect(weighed).toEqual([40, 4, 40, 0]);
  const profile = {
    source: 'charged',
    elapsed: 1000,
    cpus: 2,
    stacks,
    locks: [],
    rest: 0,
  } as const;
  expect(offeredWeights(profile, 5)).toEqual(['time', 'lines', 'calls']);
  expect(rateOf('time', 500, profile)).toBe(0.25);
  expect(rateOf('calls', 5, profile)).toBe(5e6);
});

test('what a place weighs is known by its way, whatever tree it is in', () => {
  const weights = weightsOf(treeOf({ stacks }, false));
  expect(weights.get('')).toBe(1000);
  expect(weights.get('\n2\nrecv')).toBe(400);
  expect(weightsOf(treeOf({ stacks: [] }, false)).get('')).toBe(0);
});

test('no time is lost or counted twice, whatever names are', () => {
  const name = fc.constantFrom('a', 'b', '', 'a b', '1');
  const some = fc.record({
    cpu: fc.nat(2),
    context: fc.nat(5),
    within: fc.array(name, { maxLength: 3 }),
    nanos: fc.integer({ min: 1, max: 1000 }),
    calls: fc.option(fc.nat(9), { nil: undefined }),
    lines: fc.option(fc.nat(9), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(some), fc.boolean(), (stacks, isByCpu) => {
      const all = stacks.reduce((sum, { nanos }) => sum + nanos, 0);
      const tree = treeOf({ stacks }, isByCpu);
      expect(barsOf(tree, '', 0)[0]?.weight ?? 0).toBe(all);
      expect(rowsOf(tree, '').reduce((sum, { nanos }) => sum + nanos, 0)).toBe(all);
    }),
  );
});
