/** Scenarios: read and written without loss, told apart by what they say, and named. */
import { expect, test } from 'vitest';
import { SMALL_CATALOGUE } from '../core/fake-core.ts';
import { canonicalOf, compacted, readScenario, titleOf, writeScenario } from './scenario.ts';

const whole =
  '{"machine":"quick","kernel":"6.1","instrumentation":["points"],"workload":"stream","settings":{"mtu_bytes":9000,"gro":false},"duration_us":2000,"warmup_us":500,"seed":1,"faults":[{"at_us":5,"do":"steal_cpu","cpu":0,"us":9}]}';

test('what is read is written again, to the letter', () => {
  expect(writeScenario(readScenario(whole))).toBe(whole);
  expect(writeScenario(readScenario('{}'))).toBe('{}');
});

test('what has the wrong form is kept for the core to refuse', () => {
  const scenario = readScenario(
    '{"machine":5,"instrumentation":[1],"settings":{"gro":[1]},"wheels":4,"seed":"x","faults":[{"do":1}]}',
  );
  expect(scenario).toMatchObject({ machine: '', settings: {}, seed: undefined, faults: [] });
  expect(JSON.parse(writeScenario(scenario))).toEqual({
    ...{
      machine: 5,
      instrumentation: [1],
      settings: { gro: [1] },
      wheels: 4,
      seed: 'x',
      faults: [{ do: 1 }],
    },
  });
});

test.each(['', 'null', '[]', '"text"', '{', '{"a":1}}'])('%s is no scenario', (text) => {
  expect(compacted(text)).toBeUndefined();
  expect(writeScenario(readScenario(text))).toBe('{}');
});

test('what is too long for a link is read, told apart, and never compacted', () => {
  const long = (us: number) =>
    writeScenario({
      ...readScenario(whole),
      faults: Array.from({ length: 60 }, (_, at) => ({
        ...{ atUs: at, atNs: 0, isSent: false, kind: 'steal_cpu', arguments: { cpu: 0, us } },
      })),
    });
  expect(readScenario(long(9)).faults).toHaveLength(60);
  expect(canonicalOf(long(9))).not.toBe(canonicalOf(long(8)));
  expect(compacted(long(9))).toBeUndefined();
});

test('the length of a scenario is that of its compact text, however it was written', () => {
  expect(compacted(`{"seed":${' '.repeat(3000)}1}`)).toBe('{"seed":1}');
});

test('a number that is longer when it is written out cannot make it too long', () => {
  expect(compacted(`[${'1e20,'.repeat(300)}1]`.replace(/.*/, '{"a":$&}'))).toBeUndefined();
});

test('the order of fields and settings makes no other scenario', () => {
  const turned =
    '{"faults":[{"us":9,"cpu":0,"do":"steal_cpu","at_us":5}],"seed":1,"warmup_us":500,"settings":{"gro":false,"mtu_bytes":9000},"duration_us":2000,"workload":"stream","instrumentation":["points"],"kernel":"6.1","machine":"quick"}';
  expect(canonicalOf(turned)).toBe(canonicalOf(whole));
  expect(canonicalOf(turned.replace('9000', '1500'))).not.toBe(canonicalOf(whole));
});

test('the shelf names its own; the others are named by what runs on what', () => {
  const shipped = SMALL_CATALOGUE.scenarios[0]?.scenario ?? '';
  expect(titleOf(SMALL_CATALOGUE, shipped)).toBe('One flow');
  expect(titleOf(SMALL_CATALOGUE, whole)).toBe(
    'Linux 6.1 + probes at ten points · A quick machine · Bulk transfer',
  );
  expect(titleOf(SMALL_CATALOGUE, '{"machine":"moon"}')).toBe('moon');
});

test('a name that turns the writing around is shown without that', () => {
  const strange = { machine: '\u202ea', kernel: '\u2066b', workload: 'c\u0007' };
  expect(titleOf(SMALL_CATALOGUE, JSON.stringify(strange))).toBe('·b · ·a · c·');
});
