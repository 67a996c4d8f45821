/** The form: which settings apply, what is kept in a change, which errors are reported and where. */
import { expect, test } from 'vitest';
import { notPermitted, oneOf, SMALL_CATALOGUE as catalogue, whole } from '../core/fake-core.ts';
import { readScenario, writeScenario } from '../session/scenario.ts';
import { boundsOf } from './bounds.ts';
import {
  changed,
  fieldNamedIn,
  instrumentationFor,
  problemsOf,
  settingsFor,
  strangersOf,
  turned,
  withInstrumentation,
  withSetting,
  without,
} from './form.ts';
import { defaultOf } from './setting-choices.ts';

const sound = readScenario(
  '{"machine":"quick","kernel":"6.1","workload":"stream","settings":{"mtu_bytes":9000,"copy":"movsd"}}',
);
const settingsOf = (workload: string, machine = 'quick') =>
  settingsFor(catalogue, { workload, machine, settings: {} }).map(({ name }) => name);
const setting = (name: string) => catalogue.settings.find((one) => one.name === name)!;

test('settings are those of the workload, and those of all', () => {
  expect(settingsOf('stream')).toEqual([
    'mtu_bytes',
    'gro',
    'copy',
    'cpus',
    'irq_affinity',
    'nics',
  ]);
  expect(settingsOf('chat')).toEqual(['mtu_bytes', 'gro', 'cpus', 'clients']);
});

test('another workload lets go what means nothing to it, and keeps the rest', () => {
  expect(changed(catalogue, sound, { workload: 'chat' }).settings).toEqual({ mtu_bytes: 9000 });
  expect(changed(catalogue, sound, { machine: 'slow' }).settings).toBe(sound.settings);
});

test('another kernel lets go what is not for it, and the probes with it', () => {
  expect(instrumentationFor(catalogue, '6.1').map(({ name }) => name)).toEqual(['points']);
  expect(instrumentationFor(catalogue, '2.4.17')).toEqual([]);
  const watched = withSetting(withInstrumentation(sound, 'points', true), 'probes', true);
  expect(watched.instrumentation).toEqual(['points']);
  expect(withInstrumentation(watched, 'points', true)).toEqual(watched);
  const older = changed(catalogue, watched, { kernel: '2.4.17' });
  expect(older.instrumentation).toEqual([]);
  expect(older.settings).toEqual(sound.settings);
  const misfit = { ...watched, kernel: '2.4.17' };
  expect(problemsOf(catalogue, misfit).get('instrumentation')).toBe(
    '“points” does not fit 2.4.17.',
  );
});

test('a machine bounds its settings, and what it has none of is not asked for', () => {
  const bounds = (machine: string) =>
    settingsFor(catalogue, { machine, workload: 'stream', settings: {} }).find(
      ({ name }) => name === 'nics',
    )?.max;
  expect([bounds('quick'), bounds('slow'), bounds('moon')]).toEqual([2, undefined, 16]);
  const two = withSetting(sound, 'nics', 2);
  expect(changed(catalogue, two, { machine: 'slow' }).settings).toEqual(sound.settings);
});

const two = readScenario(
  '{"machine":"quick","workload":"stream","settings":{"cpus":2,"irq_affinity":"cpu1"}}',
);
const affinities = (scenario: typeof two) =>
  settingsFor(catalogue, scenario)
    .find(({ name }) => name === 'irq_affinity')
    ?.choices.map(({ name }) => name);

test('interrupts are offered the CPUs that there are', () => {
  expect(affinities(two)).toEqual(['spread', 'cpu0', 'cpu1']);
  expect(affinities({ ...two, settings: {} })?.at(-1)).toBe('cpu3');
  expect(affinities({ ...two, settings: { irq_affinity: 'fixed' } })).toContain('fixed');
});

test('fewer CPUs take interrupts along that went to one that is gone', () => {
  const one = turned(catalogue, two, 'cpus', 1);
  expect(one.settings).toEqual({ cpus: 1, irq_affinity: 'cpu0' });
  expect(turned(catalogue, two, 'cpus', 4).settings).toEqual({ cpus: 4, irq_affinity: 'cpu1' });
  const { settings } = changed(
    catalogue,
    { ...two, settings: { irq_affinity: 'cpu3' } },
    { machine: 'slow' },
  );
  expect(settings).toEqual({ irq_affinity: 'cpu0' });
});

test('one queue alone is meant only where its interrupts go to one CPU', () => {
  const queue = withSetting(two, 'irq_queue', 3);
  const has = (scenario: typeof two) =>
    settingsFor(catalogue, scenario).some(({ name }) => name === 'irq_queue');
  expect(has(queue)).toBe(true);
  const spread = turned(catalogue, queue, 'irq_affinity', 'spread');
  expect(spread.settings).toEqual({ cpus: 2, irq_affinity: 'spread' });
  expect(has(spread)).toBe(false);
});

test('a setting is part of the scenario only while it is set', () => {
  const off = withSetting(sound, 'gro', false);
  expect(off.settings).toEqual({ mtu_bytes: 9000, copy: 'movsd', gro: false });
  expect(withSetting(off, 'gro', undefined).settings).toEqual(sound.settings);
});

test('what the form has no field for is shown and can be taken out', () => {
  const scenario = readScenario(
    '{"workload":"stream","settings":{"clients":5,"wheels":4},"colour":"red"}',
  );
  expect(strangersOf(catalogue, scenario)).toEqual([
    { name: 'clients', value: '5', why: 'does nothing with this machine and workload' },
    { name: 'wheels', value: '4', why: 'is not a setting' },
    { name: 'colour', value: '"red"', why: 'is not part of a scenario in this form' },
  ]);
  const clean = ['clients', 'wheels', 'colour'].reduce(without, scenario);
  expect(writeScenario(clean)).toBe('{"workload":"stream"}');
});

test('a sound scenario has no problem', () => {
  expect(problemsOf(catalogue, { ...sound, durationUs: 20_000 }).size).toBe(0);
});

test.each([
  ['{"machine":"moon"}', 'machine', '“moon” is not known; choose one of the list.'],
  ['{}', 'kernel', 'Choose one.'],
  ['{"settings":{"mtu_bytes":99999}}', 'mtu_bytes', 'A whole number, 576 to 9,000 bytes.'],
  ['{"settings":{"mtu_bytes":1500.5}}', 'mtu_bytes', 'A whole number, 576 to 9,000 bytes.'],
  ['{"settings":{"mtu_bytes":"big"}}', 'mtu_bytes', '“big” is not a number.'],
  ['{"settings":{"gro":"yes"}}', 'gro', '“yes” is neither on nor off.'],
  ['{"duration_us":1}', 'duration_us', 'From 10\u00a0µs to 10\u00a0s.'],
  ['{}', 'duration_us', 'From 10\u00a0µs to 10\u00a0s.'],
  ['{"duration_us":100,"warmup_us":100}', 'warmup_us', 'Shorter than the run.'],
  [
    '{"machine":"slow","settings":{"irq_affinity":"cpu1"}}',
    'irq_affinity',
    'There is no CPU 1 here, only CPU 0. Choose one of these, or set more under “CPUs”.',
  ],
  ['{"seed":-1}', 'seed', 'A whole number, 0 to 9,007,199,254,740,991.'],
])('%s: %s is told', (text, field, sentence) => {
  expect(problemsOf(catalogue, readScenario(text)).get(field)).toBe(sentence);
});

test.each([
  [notPermitted('settings.mtu_bytes', '99999', whole(576, 9000)), 'mtu_bytes'],
  [notPermitted('machine', '"moon"', oneOf('quick', 'slow')), 'machine'],
  [notPermitted('instrumentation.0', '"x"', oneOf('points')), 'instrumentation'],
  [notPermitted('warmup_us', '5', whole(0, 4)), 'warmup_us'],
  [notPermitted('settings.wheels', '5', whole(0, 4)), undefined],
  // What setting up the simulation finds has words.
  [{ message: 'settings.mtu_bytes changes nothing here; it must be absent' }, 'mtu_bytes'],
  [{ message: 'the core broke down' }, undefined],
] as const)('%o is about %s', (trouble, field) => {
  expect(fieldNamedIn(catalogue, trouble)).toBe(field);
});

test('a field that does not exist is none that the form marks', () => {
  const refusal = {
    code: 'scenario.unknown_field',
    values: { field: { kind: 'name', value: 'faults.0.wheels' } },
    isInferred: false,
  } as const;
  expect(fieldNamedIn(catalogue, { message: refusal.code, refusal })).toBeUndefined();
});

test('bounds and defaults read as words', () => {
  expect(boundsOf({ min: 1, max: undefined, unit: 'CPUs' })).toBe('1 CPUs or more');
  expect(boundsOf({ min: undefined, max: 5, unit: '' })).toBe('5 at most');
  expect(boundsOf({ min: undefined, max: undefined, unit: 'x' })).toBeUndefined();
  expect(['mtu_bytes', 'gro', 'copy'].map((name) => defaultOf(setting(name)))).toEqual([
    '1,500',
    'on',
    'as machine and kernel have it',
  ]);
});

test('a setting that is null is gone once it is set or cleared, and is written until then', () => {
  const odd = readScenario('{"workload":"stream","settings":{"mtu_bytes":null,"gro":true}}');
  expect(problemsOf(catalogue, odd).get('mtu_bytes')).toBe('“null” is not a number.');
  const settings = (scenario: typeof odd) =>
    (JSON.parse(writeScenario(scenario)) as { settings?: unknown }).settings;
  expect(settings(odd)).toEqual({ mtu_bytes: null, gro: true });
  expect(settings(withSetting(odd, 'mtu_bytes', 1500))).toEqual({ mtu_bytes: 1500, gro: true });
  expect(settings(withSetting(odd, 'mtu_bytes', undefined))).toEqual({ gro: true });
  expect(strangersOf(catalogue, odd)).toEqual([]);
  const unknown = readScenario('{"workload":"stream","settings":{"wheels":null}}');
  expect(strangersOf(catalogue, unknown)).toMatchObject([{ name: 'wheels', value: 'null' }]);
  expect(without(unknown, 'wheels').oddSettings).toEqual({});
});
