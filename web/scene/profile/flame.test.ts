/** Trees and bars of made-up profiles, as text, and what holds for any. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProfileStack } from '../../core/profile.ts';
import { barsOf, rowsOf, treeOf } from './flame.ts';

const stack = (cpu: number, context: number, way: string, nanos: number, calls?: number) =>
  ({
    cpu,
    context,
    within: way === '' ? [] : way.split('/'),
    nanos,
    calls,
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
    ({ place, row, from, to, nanos }) =>
      `${'  '.repeat(row)}${place.kind} ${place.name} ${from.toFixed(2)}-${to.toFixed(2)} ${nanos}`,
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
    { name: 'tcp_v4_rcv', context: 3, nanos: 500, calls: 10 },
    { name: 'tcp_recvmsg', context: 2, nanos: 300, calls: 3 },
    { name: 'copy', context: 2, nanos: 100, calls: 6 },
    { name: '', context: 1, nanos: 100, calls: undefined },
  ]);
  expect(rowsOf(tree, '\n1').map(({ nanos }) => nanos)).toEqual([300, 100]);
});

test('no time is lost or counted twice, whatever names are', () => {
  const name = fc.constantFrom('a', 'b', '', 'a b', '1');
  const some = fc.record({
    cpu: fc.nat(2),
    context: fc.nat(5),
    within: fc.array(name, { maxLength: 3 }),
    nanos: fc.integer({ min: 1, max: 1000 }),
    calls: fc.option(fc.nat(9), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(some), fc.boolean(), (stacks, isByCpu) => {
      const all = stacks.reduce((sum, { nanos }) => sum + nanos, 0);
      const tree = treeOf({ stacks }, isByCpu);
      expect(barsOf(tree, '', 0)[0]?.nanos ?? 0).toBe(all);
      expect(rowsOf(tree, '').reduce((sum, { nanos }) => sum + nanos, 0)).toBe(all);
    }),
  );
});
