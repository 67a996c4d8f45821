/** For a change that made no difference the reason is given: with the core, in common scenarios. */
import { beforeAll, expect, test } from 'vitest';
import type { Difference, Figures } from '../core/figures.ts';
import { NO_GLOSSARY, notPermitted, oneOf } from '../core/fake-core.ts';
import { engineOnDisk } from '../core/on-disk.ts';
import type { Catalogue, SettingValue } from '../core/simulation.ts';
import { SEEDS, withSeed } from '../session/tried-out.ts';
import { stayedSame, whyAlike } from './alike.ts';
import { whyFewer } from './fewer.ts';
import { changeOf, isEqual, spreadOf, whyNoise } from './figures.ts';
import { isAsked, questionsOf } from './questions.ts';
import { refusalText, whyRefused } from './refusal.ts';
import { readScenario } from '../session/scenario.ts';
import { say } from '../words/say.ts';
import { inWords } from '../words/setting-words.ts';

let catalogue: Catalogue;
beforeAll(async () => {
  catalogue = inWords(await engineOnDisk().catalogue());
});

type Settings = Readonly<Record<string, SettingValue>>;

const scenario = (settings: Settings) =>
  JSON.stringify({
    ...{ machine: 'piii-500-4way', kernel: '2.4.17', workload: 'netperf-stream', seed: 1 },
    settings: { cpus: 2, nics: 1, connections: 1, message_bytes: 4096, ...settings },
    ...{ duration_us: 20_000, warmup_us: 5000 },
  });

async function runsOf(text: string): Promise<Figures[]> {
  const runs = Array.from({ length: SEEDS }, async (_, seed) => {
    const outcome = await engineOnDisk().tryOut(withSeed(text, seed));
    if (outcome.kind !== 'ok') throw new Error(JSON.stringify(outcome));
    return outcome.value;
  });
  return Promise.all(runs);
}

/** Compares two scenarios: whether the core finds them alike, and the reasons given. */
async function compared(before: Settings, after: Settings) {
  const [one, other] = [scenario(before), scenario(after)];
  const runs = [await runsOf(one), await runsOf(other)] as const;
  const comparison = await engineOnDisk().compare(...runs);
  const { differences, outcomes } = comparison;
  const isAlike = outcomes.every(({ saying }) => saying.code === 'verdict.alike');
  const [was, is] = [readScenario(one), readScenario(other)];
  return {
    ...{ isAlike, differences, outcomes },
    why: whyAlike(catalogue, was, is, differences),
    whyFewer: whyFewer(catalogue, was, is, comparison),
  };
}

test('programs that are bound move with the interrupt', async () => {
  const bound = { process_affinity: true };
  const { isAlike, differences, why } = await compared(
    { ...bound, irq_affinity: 'cpu0' },
    { ...bound, irq_affinity: 'cpu1' },
  );
  expect(isAlike).toBe(true);
  expect(why).toEqual([
    expect.stringMatching(/moved with it from CPU 0 to CPU 1.*“Bound processes” off/),
  ]);
  expect(stayedSame(differences)).toContainEqual(
    expect.stringMatching(/^Throughput: 9\d\.\d\sMbit\/s \(another seed: ± \d+\skbit\/s\)$/),
  );
});

test('interrupts that go where they went before', async () => {
  const { isAlike, why } = await compared({ irq_affinity: 'spread' }, { irq_affinity: 'cpu0' });
  expect(isAlike).toBe(true);
  expect(why).toEqual([
    expect.stringMatching(/interrupts go to CPU 0, and the programs run on CPU 0/),
  ]);
});

test('a ring that never was too small', async () => {
  const { isAlike, why } = await compared({}, { rx_ring: 34 });
  expect(isAlike).toBe(true);
  expect(why).toEqual([expect.stringMatching(/the ring never was too small/)]);
});

test('nothing is said where interrupts and programs came apart', async () => {
  const { isAlike, why } = await compared({ irq_affinity: 'cpu0' }, { irq_affinity: 'cpu1' });
  expect([isAlike, why]).toEqual([false, []]);
});

test('of fewer NICs or connections that each carry what they did, that is the reason', async () => {
  const two = { nics: 2, connections: 2 };
  const why = async (after: Settings) => (await compared(two, after)).whyFewer;
  expect(await why({ nics: 1, connections: 2 })).toEqual([
    expect.stringMatching(/^NICs that take part: 1 instead of 2\. .*: 9\d\.\d\sMbit\/s\.$/),
  ]);
  expect(await why({ ...two, irq_affinity: 'spread' })).toEqual([]);
});

test('of fewer CPUs the busy share is told as what it is a share of', async () => {
  const two = { nics: 2, connections: 2 };
  const { whyFewer, outcomes } = await compared(two, { ...two, cpus: 1 });
  // The share rises by half although the work falls.
  const [, now, before] =
    /^CPUs: 1 instead of 2\. .* the work of (0\.\d+) CPUs, before of (0\.\d+)\.$/.exec(
      whyFewer[0] ?? '',
    ) ?? [];
  expect(Number(now)).toBeLessThan(Number(before));
  const busy = outcomes.find(({ quantity }) => quantity === 'busy')!;
  expect(
    say(busy.saying, { glossary: NO_GLOSSARY, opened: { queues: [], tasks: [], flows: [] } }),
  ).toBe(`All CPUs together have less to do: the work of ${now} CPUs instead of ${before}.`);
});

const difference = (mean: number, halfWidth: number | undefined): Difference => ({
  ...{ quantity: 'cpu_each', kind: 'run', name: '', unit: 'ns', part: mean / 1000, isNoise: true },
  before: { mean: 1000, halfWidth },
  after: { mean: 1000 + mean, halfWidth },
  change: { mean, halfWidth },
});

test('noise is told with its spread, and whether it is chance or only small', () => {
  expect(spreadOf(difference(5, 20))).toBe('2\u00a0%');
  // The spread of a factor is written as a factor, too.
  expect([changeOf(difference(2000, 500)), spreadOf(difference(2000, 500))]).toEqual([
    '× 3',
    '0.5',
  ]);
  expect(changeOf(difference(-0.1, 20))).toBe('< 0.1\u00a0%');
  expect(changeOf(difference(0, 20))).toBe('0\u00a0%');
  expect(whyNoise(difference(5, 20))).toMatch(/\+0\.5\u00a0%, and by itself.*± 2\u00a0%.*chance/);
  expect(whyNoise(difference(8, 1))).toMatch(/too small to speak of/);
  expect(whyNoise(difference(8, undefined))).toMatch(/too little came in to tell/);
  expect([isEqual(difference(0, 0)), isEqual(difference(0, 20))]).toEqual([true, false]);
});

test('a refusal is said in the words of the form', () => {
  const missing = scenario({ irq_affinity: 'cpu3' });
  const cpu = notPermitted('settings.irq_affinity', '"cpu3"', oneOf('cpu0', 'cpu1'));
  const why = whyRefused(catalogue, missing, cpu);
  expect(why).toBe(
    'Interrupts go to: There is no CPU 3 here, only CPU 0, 1. Choose one of these, or set more under “CPUs”.',
  );
  const xdp = notPermitted('settings.xdp', '"redirect"', oneOf('drop', 'pass'));
  expect(refusalText(catalogue, readScenario(missing), xdp)).toMatch(
    /^“[^”]+” cannot be sends them out of the next NIC here; it must be one of drop, pass\.$/,
  );
  expect(refusalText(catalogue, readScenario(missing), { message: 'the core broke down' })).toBe(
    'the core broke down',
  );
});

test('a question is known by its two scenarios, in whatever order their fields stand', () => {
  const [first, second] = questionsOf(catalogue);
  const turned = (text: string) =>
    JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text) as object).reverse()));
  expect(isAsked(first!, turned(first!.before), turned(first!.after))).toBe(true);
  expect(isAsked(second!, first!.before, first!.after)).toBe(false);
  expect(isAsked(first!, undefined, first!.after)).toBe(false);
});

test('a question is answered in its own direction: before is without what it asks for, after with it', () => {
  const settings = (text: string) => readScenario(text).settings;
  const asked = questionsOf(catalogue).filter(({ after }) => settings(after)['gro'] !== undefined);
  const [worth] = asked.filter(({ after }) => settings(after)['link_loss_permille'] === undefined);
  expect([settings(worth!.before)['gro'], settings(worth!.after)['gro']]).toEqual([false, true]);
});
