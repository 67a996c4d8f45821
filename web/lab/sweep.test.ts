/** The texts of a sweep next to its curves. */
import { expect, test } from 'vitest';
import { SMALL_CATALOGUE as catalogue } from '../core/fake-core.ts';
import { readScenario } from '../session/scenario.ts';
import type { SweepPlan } from '../session/sweep-plan.ts';
import { sourceOf } from './sweep.ts';

const plan: SweepPlan = {
  ...{ setting: 'rx_ring', from: 2, to: 32, points: 5, scale: 'log', seeds: 3 },
  figure: 'throughput',
};
const scenario = readScenario(
  '{"machine":"quick","kernel":"6.1","workload":"stream","settings":{"rx_ring":64,"gro":true},' +
    '"faults":[{"at_us":1500,"do":"steal_cpu","cpu":0,"us":300},{"at_us":2000,"do":"drop_frame"}]}',
);

test('a picture of a sweep names the faults of its scenario, and not what is swept', () => {
  expect(sourceOf(catalogue, scenario, plan, [])).toEqual([
    ...['Ringside', 'quick', '6.1', 'stream', 'gro true'],
    expect.stringMatching(/^Take a CPU away \(CPU 0\) at 1\.5\sms$/),
    expect.stringMatching(/^Lose a frame at 2\sms$/),
    'runs at each value: 3, bars 99 %',
  ]);
});

test('where kernels are swept the scenario’s own is not named', () => {
  const both: SweepPlan = { ...plan, curves: { setting: 'kernel', values: ['6.1', '2.6.9'] } };
  expect(sourceOf(catalogue, scenario, both, [])).not.toContain('6.1');
});
