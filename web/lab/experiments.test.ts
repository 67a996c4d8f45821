/** The Lab's own data, compared with the catalogue and the core. */
import { beforeAll, expect, test, vi } from 'vitest';
import type { Catalogue, CodedCatalogue } from '../core/simulation.ts';
import type { Figures } from '../core/figures.ts';
import { engineOnDisk } from '../core/on-disk.ts';
import { chooseLocale, restoreLocale } from '../words/locale.svelte.ts';
import en from '../words/messages/en.json';
import { inWords } from '../words/setting-words.ts';
import { SEEDS, withSeed } from '../session/tried-out.ts';
import { changesOf } from './changes.ts';
import { changeOf, figureOf, nameOf, ON_CARD, seenAt, valueOf } from './figures.ts';
import { groupsOf } from './places.ts';
import { ASKED, questionsOf } from './questions.ts';

let coded: CodedCatalogue;
let catalogue: Catalogue;
beforeAll(async () => {
  coded = await engineOnDisk().catalogue();
  catalogue = inWords(coded);
});

async function figuresOf(scenario: string): Promise<Figures> {
  const outcome = await engineOnDisk().tryOut(scenario);
  if (outcome.kind !== 'ok') throw new Error(JSON.stringify(outcome));
  return outcome.value;
}

test('every place of a setting is one of the Lab', () => {
  const groups = groupsOf(catalogue.settings);
  expect(groups.map(({ id }) => id)).not.toContain('other');
  expect(groups.flatMap(({ settings }) => settings)).toHaveLength(catalogue.settings.length);
});

test('every setting and every choice has its words, and no words are left of one that is gone', () => {
  const words = coded.settings.flatMap(({ name, choices }) => [
    `setting_${name}`,
    `setting_${name}_about`,
    ...choices.flatMap(({ name: word, title }) =>
      title === undefined ? [`setting_choice_${word}`] : [],
    ),
  ]);
  const messages = Object.keys(en).filter(
    (key) => key.startsWith('setting_') && !key.startsWith('setting_unit_'),
  );
  expect([...new Set(words)].sort()).toEqual(messages.sort());
});

test('what a setting is about is said in each language', async () => {
  vi.stubGlobal('navigator', { languages: ['en'] });
  await restoreLocale();
  await chooseLocale('de');
  const german = inWords(coded).settings;
  await chooseLocale('en');
  const same = german.filter(({ about }, at) => about === catalogue.settings[at]?.about);
  expect(same).toEqual([]);
});

test('every question is there and runs on both sides', async () => {
  const questions = questionsOf(catalogue);
  expect(questions).toHaveLength(ASKED.length);
  for (const { before, after } of questions) {
    expect(changesOf(catalogue, before, after)).not.toEqual([]);
    expect((await figuresOf(after)).all.length).toBeGreaterThan(20);
    expect((await figuresOf(before)).all.length).toBeGreaterThan(20);
  }
});

test('what was changed is said in the words of the form', () => {
  const [, , pin] = questionsOf(catalogue);
  expect(changesOf(catalogue, pin!.before, pin!.after)).toEqual([
    {
      title: 'Interrupts go to',
      before: 'as the machine has it (CPU 0, 1 in turn)',
      after: 'each NIC’s own CPU (CPU 0, 1)',
      why: undefined,
    },
    {
      title: 'Bound processes',
      before: 'off (at first CPU 0, 1)',
      after: 'on (CPU 0, 1)',
      why: undefined,
    },
  ]);
});

test('what goes wrong by hand is said with its moment and its numbers', () => {
  const { scenario } = catalogue.scenarios.find(({ slug }) => slug === 'today-gro')!;
  const faults = [
    { at_us: 1500, do: 'drop_frame' },
    { at_us: 2000, do: 'steal_cpu', cpu: 1, us: 500 },
  ];
  const after = JSON.stringify({ ...(JSON.parse(scenario) as object), faults });
  expect(changesOf(catalogue, scenario, after)).toEqual([
    {
      title: 'Faults by hand',
      before: 'none',
      after: 'Lose a frame at 1.5\u00a0ms, Take a CPU away (CPU 1, 500 µs) at 2\u00a0ms',
    },
  ]);
});

test('the core compares what it gave: pinning is explained by the lines that move no more', async () => {
  const engine = engineOnDisk();
  const [, , pin] = questionsOf(catalogue);
  const side = (scenario: string) =>
    Promise.all(Array.from({ length: SEEDS }, (_, seed) => figuresOf(withSeed(scenario, seed))));
  const [before, after] = [await side(pin!.before), await side(pin!.after)];
  const { causes, differences, runs } = await engine.compare(before, after);
  expect(runs).toEqual([SEEDS, SEEDS]);
  expect(causes[0]?.saying.code).toBe('verdict.because.fetching');
  const hops = differences.find(({ quantity }) => quantity === 'hops_each');
  expect(hops?.after.mean).toBe(0);
  expect(changeOf(hops!)).toBe('−100\u00a0%');
  const same = await engine.compare(before, before);
  expect(same.outcomes.map(({ saying }) => saying.code)).toEqual(['verdict.alike']);
});

test('a figure is written in its unit and leads to a packet in which it is seen', async () => {
  const { scenario } = catalogue.scenarios.find(({ slug }) => slug === 'today-gro')!;
  const figures = await figuresOf(scenario);
  for (const figure of figures.all) {
    expect(nameOf(figure.quantity)).not.toBe('');
    expect(valueOf(figure.quantity, figure.unit, figure.value)).toMatch(/\d/);
  }
  const onCard = ON_CARD.filter((quantity) =>
    figureOf(figures, { quantity, kind: 'run', name: '' }),
  );
  expect(onCard.length).toBeGreaterThan(8);
  const tail = figureOf(figures, { quantity: 'latency_p99', kind: 'run', name: '' });
  expect(seenAt(scenario, tail)).toContain(`packet=${tail!.packet}`);
});
