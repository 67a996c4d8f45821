/** A sweep: its values, its form in a link, what it runs and what it keeps. */
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { Outcome } from '../core/core.ts';
import { fakeCore } from '../core/fake-core.ts';
import type { Figures, PublishedBeside } from '../core/figures.ts';
import {
  aSweep,
  MOST_POINTS,
  MOST_SEEDS,
  scenarioAt,
  valuesOf,
  type SweepPlan,
} from './sweep-plan.ts';
import { Sweep, type RunStore } from './sweep.svelte.ts';

const plan: SweepPlan = {
  ...{ setting: 'rx_ring', from: 2, to: 32, points: 5, scale: 'log', seeds: 2 },
  figure: 'throughput',
};
const scenario = '{"machine":"quick","seed":1}';

const figures = (value: number): Figures => ({
  all: [
    {
      ...{ quantity: 'throughput', kind: 'run', name: '', unit: 'bit/s', value },
      ...{ packet: undefined, time: undefined },
    },
  ],
  nanos: 1e9,
  told: ['throughput'],
  stretches: [],
});

/** What outlives the page, in memory. */
function memory(): RunStore {
  const all = new Map<string, Figures>();
  return {
    read: (names) => Promise.resolve(new Map([...all].filter(([name]) => names.includes(name)))),
    keep: (name, figures) => {
      all.set(name, figures);
      return Promise.resolve();
    },
  };
}

/** A sweep whose runs give ten times the ring, and what was run. */
function scene(
  refuse?: number,
  published: readonly PublishedBeside[] = [],
  store = memory(),
  publishedBeside: () => Promise<readonly PublishedBeside[]> = () => Promise.resolve(published),
) {
  const asked: string[] = [];
  const core = fakeCore({
    publishedBeside,
    tryOut: (text) => {
      asked.push(text);
      const { settings } = JSON.parse(text) as { settings: { rx_ring: number } };
      const { rx_ring: ring } = settings;
      const outcome: Outcome<Figures> =
        ring === refuse
          ? { kind: 'failed', message: 'settings.rx_ring: too small' }
          : { kind: 'ok', value: figures(10 * ring) };
      return Promise.resolve(outcome);
    },
  });
  return { sweep: new Sweep(core, () => [], store), core, asked };
}

test('values run from end to end, by a factor or evenly, whole and each once', () => {
  expect(valuesOf(plan)).toEqual([2, 4, 8, 16, 32]);
  expect(valuesOf({ ...plan, scale: 'even', points: 4 })).toEqual([2, 12, 22, 32]);
  expect(valuesOf({ ...plan, from: 1, to: 3, points: 9 })).toEqual([1, 2, 3]);
  expect(valuesOf({ ...plan, from: 0, to: 4 })).toEqual([0, 1, 2, 3, 4]);
});

test('any plan within the bounds is read from a link as it was written, and none beyond them', () => {
  const plans = fc.record({
    setting: fc.constantFrom('rx_ring', 'message_bytes'),
    from: fc.integer({ min: 0, max: 1000 }),
    to: fc.integer({ min: 1001, max: 1e9 }),
    points: fc.integer({ min: 2, max: MOST_POINTS }),
    scale: fc.constantFrom('even' as const, 'log' as const),
    seeds: fc.integer({ min: 1, max: MOST_SEEDS }),
    figure: fc.constantFrom('throughput', 'latency_p99'),
  });
  const curves = fc.constantFrom(
    { setting: 'kernel', values: ['2.4.20', '6.1', '2.6.3-nat'] },
    { setting: 'gro', values: [false, true] },
    { setting: 'connections', values: [1, 16, 4096] },
  );
  fc.assert(
    fc.property(plans, fc.option(curves), fc.boolean(), (one, some, isMap) => {
      const both = some === null ? one : { ...one, curves: some };
      const plan = some !== null && isMap ? { ...both, isMap } : both;
      expect(aSweep.read(aSweep.write(plan))).toEqual(plan);
    }),
  );
  const hostile = [
    'rx_ring.2.32.9999.log.2.throughput',
    'rx_ring.2.32.5.log.9999.throughput',
    'rx_ring.32.2.5.log.2.throughput',
    'rx_ring.2.32.5.log.2',
    'rx_ring.2.32.5.log.2.throughput.map',
    'rx_ring.2.32.5.log.2.throughput.pie~gro~false~true',
    '__proto__.2.32.5.log.2.throughput',
    'rx_ring.2.1e400.5.log.2.throughput',
    'rx_ring.0.1000000000000.1000000000.even.2.throughput',
    'rx_ring.NaN.32.5.log.2.throughput',
    'rx_ring.-2.32.5.log.2.throughput',
    'rx_ring.2.32.1e3.log.2.throughput',
    'rx_ring.2.32.5.log.2.throughput~gro',
    'rx_ring.2.32.5.log.2.throughput~rx_ring~2~4',
    'rx_ring.2.32.5.log.2.throughput~gro~true~true',
    'rx_ring.2.32.5.log.2.throughput~connections~1~2~3~4~5~6~7~8~9~10~11~12~13',
    'rx_ring.2.32.5.log.2.throughput~kernel~6.1~<img>',
  ];
  expect(hostile.map(aSweep.read)).toEqual(hostile.map(() => undefined));
});

test('whatever a link sweeps, its values are few, whole and in their range', () => {
  const part = fc.oneof(
    fc.constantFrom(
      'rx_ring',
      'constructor',
      '0',
      '1',
      '1000000000000',
      '999999999999',
      '40',
      '1e308',
    ),
    fc.constantFrom('even', 'log', 'throughput', '2', '__proto__', '-1', 'NaN', 'map'),
  );
  const sane = ['rx_ring', '2', '32', '5', 'log', '2', 'throughput'] as const;
  const texts = fc
    .tuple(...sane.map((word) => fc.oneof(fc.constant(word), part)))
    .map((parts) => parts.join('.'));
  let read = 0;
  fc.assert(
    fc.property(texts, (text) => {
      const plan = aSweep.read(text);
      if (plan === undefined) return;
      read += 1;
      expect(aSweep.read(aSweep.write(plan))).toEqual(plan);
      const values = valuesOf(plan);
      expect(values.length).toBeLessThanOrEqual(MOST_POINTS);
      expect(values.every((value) => plan.from <= value && value <= plan.to)).toBe(true);
      expect(values.every(Number.isSafeInteger)).toBe(true);
    }),
    { numRuns: 1000 },
  );
  expect(read).toBeGreaterThan(10);
});

test('the curve is there before all seeds are, and a wider range runs only what is missing', async () => {
  const { sweep, asked } = scene();
  sweep.set(plan);
  await sweep.run(scenario);
  expect(asked).toHaveLength(10);
  expect(asked.slice(0, 5).map((text) => (JSON.parse(text) as { seed: number }).seed)).toEqual([
    1, 1, 1, 1, 1,
  ]);
  await sweep.draw(sweep.points(scenario));
  const [curve] = sweep.drawn?.curves ?? [];
  expect(curve?.values).toEqual([2, 4, 8, 16, 32]);
  expect(curve?.points.map(({ mean }) => mean)).toEqual([20, 40, 80, 160, 320]);
  sweep.set({ ...plan, to: 64, points: 6 });
  await sweep.run(scenario);
  expect(asked.slice(10).map((text) => JSON.parse(text) as unknown)).toEqual(
    [1, 2].map((seed) => ({ machine: 'quick', settings: { rx_ring: 64 }, seed })),
  );
  sweep.set({ ...plan, figure: 'busy' });
  await sweep.run(scenario);
  expect(asked).toHaveLength(12);
  await sweep.draw(sweep.points(scenario));
  expect(sweep.drawn).toBeUndefined();
});

test('what ran comes back when the page is loaded again, and only the rest is run', async () => {
  const store = memory();
  const first = scene(undefined, [], store);
  first.sweep.set({ ...plan, to: 8, points: 3 });
  await first.sweep.run(scenario);
  const { sweep, asked } = scene(undefined, [], store);
  sweep.set(plan);
  expect(sweep.points(scenario).map(({ runs }) => runs.length)).toEqual([0, 0, 0, 0, 0]);
  await sweep.recall(scenario);
  expect(sweep.points(scenario).map(({ runs }) => runs.length)).toEqual([2, 2, 2, 0, 0]);
  await sweep.draw(sweep.points(scenario));
  expect(sweep.drawn?.curves[0]?.points.map(({ mean }) => mean)).toEqual([20, 40, 80]);
  await sweep.run(scenario);
  expect(asked).toHaveLength(4);
});

test('pressed before it is known what is kept, nothing runs twice', async () => {
  const store = memory();
  const first = scene(undefined, [], store);
  first.sweep.set(plan);
  await first.sweep.run(scenario);
  const { sweep, asked } = scene(undefined, [], store);
  sweep.set(plan);
  await Promise.all([sweep.recall(scenario), sweep.run(scenario)]);
  expect([asked.length, sweep.isRunning]).toEqual([0, false]);
});

test('a second setting has a curve for each value, and the first seeds of all come first', async () => {
  const { sweep, asked } = scene();
  sweep.set({ ...plan, curves: { setting: 'kernel', values: ['6.1', '2.6.9'] } });
  await sweep.run(scenario);
  const runs = asked.map((text) => JSON.parse(text) as { kernel: string; seed: number });
  expect(runs).toHaveLength(20);
  expect(runs.slice(0, 10).map(({ seed }) => seed)).toEqual(Array.from({ length: 10 }, () => 1));
  expect(runs.slice(0, 10).map(({ kernel }) => kernel)).toEqual([
    ...['6.1', '6.1', '6.1', '6.1', '6.1'],
    ...['2.6.9', '2.6.9', '2.6.9', '2.6.9', '2.6.9'],
  ]);
  await sweep.draw(sweep.points(scenario));
  expect(sweep.drawn?.curves.map(({ on, values }) => [on, values.length])).toEqual([
    ['6.1', 5],
    ['2.6.9', 5],
  ]);
  // One curve more runs that curve alone.
  sweep.set({ ...plan, curves: { setting: 'kernel', values: ['6.1', '2.6.9', '2.4.20'] } });
  await sweep.run(scenario);
  expect(asked).toHaveLength(30);
});

test('published numbers stand on the chart where it has a place for them', async () => {
  const at = (...at: PublishedBeside['at']) => ({
    ...{ at, figure: 'throughput', low: 1, high: 1, by: 'Somebody 2006', entry: 'a.b', place: '' },
    ...{ conditions: '', item: String(at[0]) },
  });
  const others = { ...at(4, '6.1'), figure: 'busy' };
  const all = [at(4, '6.1'), at(4, '2.4.20'), at(64, '6.1'), others];
  const { sweep } = scene(undefined, all);
  sweep.set({ ...plan, curves: { setting: 'kernel', values: ['6.1', '2.6.9'] } });
  await sweep.run(scenario);
  await sweep.draw(sweep.points(scenario));
  expect(sweep.drawn?.published.map(({ value, on }) => [value, on])).toEqual([[4, '6.1']]);
});

test('another figure of the same range lets it run on, another range does not', async () => {
  const { sweep, asked } = scene();
  sweep.set(plan);
  const done = sweep.run(scenario);
  sweep.set({ ...plan, figure: 'busy' });
  expect(sweep.isRunning).toBe(true);
  sweep.set({ ...plan, figure: 'busy', to: 64 });
  expect(sweep.isRunning).toBe(false);
  await done;
  expect(asked).toHaveLength(10);
});

test('a value that is refused says so, and the others run', async () => {
  const { sweep, asked } = scene(4);
  sweep.set(plan);
  await sweep.run(scenario);
  const points = sweep.points(scenario);
  expect(points.map(({ runs }) => runs.length)).toEqual([2, 0, 2, 2, 2]);
  expect(points[1]?.refused?.message).toBe('settings.rx_ring: too small');
  // Asked for again, it is tried again: a worker may have broken down.
  await sweep.run(scenario);
  expect(asked.filter((text) => text.includes('"rx_ring":4}'))).toHaveLength(4);
});

test('the scenario at a value is the scenario with that setting', () => {
  expect(scenarioAt('{"machine":"quick","settings":{"gro":true}}', 'rx_ring', 8)).toBe(
    '{"machine":"quick","settings":{"gro":true,"rx_ring":8}}',
  );
  expect(scenarioAt('{"machine":"quick"}', 'kernel', '6.1')).toBe(
    '{"machine":"quick","kernel":"6.1"}',
  );
});

test('curves are drawn where the published numbers do not come, and those are asked for again', async () => {
  const one: PublishedBeside[] = [];
  const answers = [() => Promise.reject(new Error('core.fetch')), () => Promise.resolve(one)];
  let asked = 0;
  const { sweep } = scene(undefined, one, memory(), () => answers[asked++]!());
  sweep.set(plan);
  await sweep.run(scenario);
  await sweep.draw(sweep.points(scenario));
  expect(sweep.drawn?.curves[0]?.values).toEqual([2, 4, 8, 16, 32]);
  await sweep.draw(sweep.points(scenario));
  expect(asked).toBe(2);
});

test('of the points that come while a curve is drawn only the newest are drawn', async () => {
  const { sweep, core } = scene();
  sweep.set(plan);
  await sweep.run(scenario);
  const points = sweep.points(scenario);
  const curve = vi.spyOn(core, 'curve');
  await Promise.all([1, 2, 3, 4, 5].map((count) => sweep.draw(points.slice(0, count))));
  expect(curve.mock.calls.map(([values]) => values.length)).toEqual([1, 5]);
  expect(sweep.drawn?.curves[0]?.values).toEqual([2, 4, 8, 16, 32]);
});
