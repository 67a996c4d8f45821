/** A tree of forks: what each node's scenario is, what goes with a branch, and that a link says it again. */
import { expect, test, vi } from 'vitest';
import fc from 'fast-check';
import {
  aForkTree,
  altered,
  forked,
  isWithin,
  MOST_FORKS,
  nodeOf,
  pruned,
  scenariosOf,
  type Change,
  type ForkTree,
} from './forks.ts';
import { fakeCore, NO_FIGURES } from '../core/fake-core.ts';
import { createRingside } from './context.ts';
import { LONGEST_SCENARIO, readScenario, type Fault } from './scenario.ts';
import { DEFAULT_VIEW, parseViewState, serialiseViewState } from './view-state.ts';

const root = '{"machine":"quick","kernel":"6.1","workload":"stream","duration_us":2000,"seed":1}';
const dropAt = (atUs: number, atNs = 0): Change => ({
  kind: 'fault',
  fault: { atUs, atNs, isSent: false, kind: 'drop_frame', arguments: {} } satisfies Fault,
});
const ring = (value: number | undefined): Change => ({ kind: 'setting', name: 'rx_ring', value });

function grown(...steps: readonly (readonly [of: number, change: Change])[]): ForkTree {
  return steps.reduce<ForkTree>((tree, [of, change]) => forked(tree, of, change)?.[0] ?? tree, {
    root,
    forks: [],
  });
}

/** Numbers, names and depths that a link's author may try, as they are written: `1e999` is no number that JSON gives back. */
const hostile = fc.oneof(
  fc.constantFrom('1e999', '-1e999', '1e308', '-0', '0.1', '9007199254740993', 'null', '[]', '{}'),
  fc.constantFrom('"__proto__"', '"constructor"', '"toString"', '""', '"\\ud800"', 'true'),
  fc.integer({ min: 0, max: 3000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
  fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
);
const hostileKey = fc.constantFrom(
  '__proto__',
  'constructor',
  'rx_ring',
  'at_us',
  'do',
  'settings',
);
const hostileObject = fc
  .array(fc.tuple(hostileKey, hostile), { maxLength: 4 })
  .map((fields) => `{${fields.map(([key, value]) => `"${key}":${value}`).join()}}`);
const hostileRow = fc.oneof(
  hostile,
  fc
    .tuple(fc.oneof(fc.nat({ max: 25 }).map(String), hostile), hostileObject)
    .map((row) => `[${row.join()}]`),
  fc.nat({ max: 3 }).map((of) => `[${of},{"at_us":${of},"do":"drop_frame","packet":1e9}]`),
);
const hostileTree = fc
  .oneof(
    fc.tuple(fc.oneof(hostileObject, fc.constant(root)), fc.array(hostileRow, { maxLength: 30 })),
    // Each forked from the one before, and thousands of them.
    fc
      .nat({ max: 3000 })
      .map(
        (count) =>
          [root, Array.from({ length: count }, (_, at) => `[${at},{"rx_ring":${at}}]`)] as const,
      ),
  )
  .map(([first, rows]) => `[${[first, ...rows].join()}]`);

test('no tree in a link can do harm: what is read of it is small, is written and read again, and has its scenarios', () => {
  let read = 0;
  fc.assert(
    fc.property(hostileTree, (text) => {
      const { view } = parseViewState(`#v=1&at=stage&forks=${encodeURIComponent(text)}`);
      const { forks: tree } = view;
      const link = serialiseViewState(view);
      expect(serialiseViewState(parseViewState(link).view)).toBe(link);
      if (tree === undefined) return;
      read += 1;
      expect(tree.forks.length).toBeLessThanOrEqual(MOST_FORKS);
      expect(tree.forks.every(({ of }, at) => 0 <= of && of <= at)).toBe(true);
      expect(scenariosOf(tree).map((one) => typeof JSON.parse(one))).toEqual(
        Array.from({ length: tree.forks.length + 1 }, () => 'object'),
      );
      expect(pruned(tree, 1).forks.length).toBeLessThan(tree.forks.length);
    }),
    { numRuns: 500 },
  );
  // Else the property would say nothing.
  expect(read).toBeGreaterThan(10);
});

test('what is no setting and no fault is no fork', () => {
  const rows = [
    '[0,"ab"]',
    '[0,["ab"]]',
    '[0,{"rx_ring":1e999}]',
    '[0,{"at_us":1e999,"do":"drop_frame"}]',
    '[1,{"rx_ring":4}]',
    '[-1,{"rx_ring":4}]',
    '[0.5,{"rx_ring":4}]',
  ];
  expect(rows.map((row) => aForkTree.read(`[${root},${row}]`))).toEqual(rows.map(() => undefined));
});

test('each node is its parent with one change more', () => {
  const tree = grown([0, dropAt(5, 250)], [1, ring(64)], [2, ring(undefined)], [0, dropAt(7)]);
  const read = scenariosOf(tree).map(readScenario);
  expect(read.map(({ faults }) => faults.map(({ atUs }) => atUs))).toEqual([[], [5], [5], [7]]);
  expect(read.map(({ settings }) => settings['rx_ring'])).toEqual([
    undefined,
    undefined,
    64,
    undefined,
  ]);
  expect(scenariosOf(tree)[1]).toContain('{"at_us":5,"at_ns":250,"do":"drop_frame"}');
});

test('what is there already is not forked again: a setting that is put back is its parent’s parent', () => {
  const tree = grown([0, ring(64)]);
  expect(forked(tree, 0, ring(64))).toEqual([tree, 1]);
  expect(forked(tree, 1, ring(undefined))).toEqual([tree, 0]);
  expect(
    nodeOf(
      tree,
      '{"seed":1,"settings":{"rx_ring":64},"machine":"quick","kernel":"6.1","workload":"stream","duration_us":2000}',
    ),
  ).toBe(1);
});

test('a branch goes with all that was forked from it, and the others stay as they are', () => {
  const tree = grown(
    [0, dropAt(1)],
    [0, dropAt(2)],
    [1, dropAt(3)],
    [2, dropAt(4)],
    [3, dropAt(5)],
  );
  const scenarios = scenariosOf(tree);
  expect(scenariosOf(pruned(tree, 1))).toEqual([scenarios[0], scenarios[2], scenarios[4]]);
  expect([3, 5, 2, 4].map((node) => isWithin(tree, node, 1))).toEqual([true, true, false, false]);
});

test('a handle that is turned on gives its fork another value', () => {
  const tree = altered(grown([0, ring(64)]), 1, ring(32));
  expect(readScenario(scenariosOf(tree)[1]!).settings).toEqual({ rx_ring: 32 });
});

test('a tree ends where a link would be too long', () => {
  const all = Array.from({ length: MOST_FORKS }, (_, at) => [0, dropAt(at)] as const);
  expect(forked(grown(...all), 0, dropAt(999))).toBeUndefined();
});

test('a link says the tree again, with the run on the stage and the one beside it', () => {
  const tree = grown([0, dropAt(5, 250)], [1, ring(64)], [2, ring(undefined)], [0, dropAt(7)]);
  const view = {
    ...DEFAULT_VIEW,
    place: 'stage',
    scenario: root,
    beside: scenariosOf(tree)[1]!,
    forks: tree,
  } as const;
  const read = parseViewState(serialiseViewState(view));
  expect(read).toEqual({ view, notices: [] });
});

test('any tree is read as it was written, and fits into a link', () => {
  const change = fc.oneof(
    fc.nat(2000).map((at) => dropAt(at, at % 1000)),
    fc.nat(4096).map(ring),
  );
  const steps = fc.array(fc.tuple(fc.nat(30), change), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(steps, (all) => {
      let tree: ForkTree = { root, forks: [] };
      for (const [of, what] of all)
        tree = forked(tree, of % (tree.forks.length + 1), what)?.[0] ?? tree;
      fc.pre(tree.forks.length > 0);
      expect(aForkTree.read(decodeURIComponent(aForkTree.write(tree)))).toEqual(tree);
      expect(aForkTree.write(tree).length).toBeLessThanOrEqual(4000);
    }),
  );
});

test.each([
  ['no JSON', '[{"a":'],
  ['no list', '{"a":1}'],
  ['no fork', `[${root}]`],
  ['a fork of a later one', `[${root},[1,{"rx_ring":4}]]`],
  ['two changes at once', `[${root},[0,{"rx_ring":4,"gro":true}]]`],
  ['no change', `[${root},[0,{}]]`],
  ['a change that is a list', `[${root},[0,{"rx_ring":[4]}]]`],
  ['a root that is no scenario', `[7,[0,{"rx_ring":4}]]`],
  ['too many', `[${root}${',[0,{"rx_ring":4}]'.repeat(MOST_FORKS + 1)}]`],
])('what is no tree is left out: %s', (_, text) => {
  expect(aForkTree.read(text)).toBeUndefined();
});

test('a fork that the core refuses is known with what the core said, until the tree is another one', async () => {
  const message = 'faults.0.at_us is -1, must be 0 or more';
  const { forks } = createRingside(
    fakeCore({
      tryOut: (scenario) =>
        Promise.resolve(
          scenario.includes('"at_us":-1')
            ? { kind: 'failed', message }
            : { kind: 'ok', value: NO_FIGURES },
        ),
    }),
  );
  const tree = grown([0, dropAt(-1)], [0, dropAt(5)]);
  const [first = '', refused = '', other = ''] = scenariosOf(tree);
  forks.set(tree);
  await vi.waitFor(() => expect(forks.comparisonOf(first, other)).toBeDefined());
  expect([first, refused, other].map((one) => forks.refusalOf(one)?.message)).toEqual([
    undefined,
    message,
    undefined,
  ]);
  forks.set(undefined);
  expect(forks.refusalOf(refused)).toBeUndefined();
});

test('a fork whose scenario is more than a link holds is not made, and a link with one is not read', () => {
  const faults = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ at_us: at, do: 'steal_cpu', cpu: 0, us: 9 }));
  const text = JSON.stringify({ ...(JSON.parse(root) as object), faults: faults(42) });
  const tree = { root: text, forks: [] };
  expect(text.length).toBeLessThanOrEqual(LONGEST_SCENARIO);
  expect(forked(tree, 0, dropAt(1))).toBeUndefined();
  const change = { of: 0, change: dropAt(1) };
  expect(aForkTree.read(decodeURIComponent(aForkTree.write({ root: text, forks: [change] })))).toBe(
    undefined,
  );
});

test('where no comparison comes, each fork says why', async () => {
  const { forks } = createRingside(
    fakeCore({ compare: () => Promise.reject(new Error('core.fetch')) }),
  );
  const tree = grown([0, dropAt(5)]);
  const [, fork = ''] = scenariosOf(tree);
  forks.set(tree);
  await vi.waitFor(() => expect(forks.refusalOf(fork)?.message).toBe('core.fetch'));
});
