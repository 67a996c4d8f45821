/**
 * The scoreboard as it was pinned: reads what `ringside reproduce` printed for each study
 * (`wasm-core/tests/board/`, held by a test to what the model gives), so that every number stands
 * on the page before anything is run. A figure has the four digits that were printed.
 */
import type { PaperEntry, Reproduced, Study } from '../core/simulation.ts';

/** A number of the board: run here, or as it was pinned; then its scenario and tolerance are not told. */
export interface Row extends Omit<Reproduced, 'tolerance' | 'scenario'> {
  readonly tolerance: number | undefined;
  readonly scenario: string | undefined;
  /** The number with one thing otherwise, as it was pinned: it shows what a number is missed for. */
  readonly counterfactual?: Counterfactual | undefined;
}

export interface Counterfactual extends Pick<Reproduced, 'modelled' | 'interval' | 'ratio'> {
  /** Whether the number would be met, or is because the amount was chosen for it. */
  readonly met: 'met' | 'chosen' | 'not met';
  /** What is otherwise. */
  readonly what: string;
}

const texts = import.meta.glob<string>('../../wasm-core/tests/board/*.txt', {
  eager: true,
  query: '?raw',
  import: 'default',
});

/** What stands beneath boards and studies, summed over all of them. */
export interface Heads {
  /** Predicted numbers of runs in which nothing was fitted to their study. */
  readonly heldOut: number;
  /** Of the predicted ones that are met those that answer something of their own. */
  readonly answers: number;
  /** Predictions as they stood before anybody looked at what was measured. */
  readonly sealed: { readonly numbers: number; readonly within: number };
  /** Of predicted numbers of which a host measured before tells something: met by that, and by the model. */
  readonly baseline: {
    readonly numbers: number;
    readonly within: number;
    readonly modelled: number;
  };
  /** Of predicted numbers that are missed: met, met by choice and not met by an experiment, and without one. */
  readonly missed: {
    readonly all: number;
    readonly met: number;
    readonly chosen: number;
    readonly notMet: number;
    readonly without: number;
  };
}

const HELD_OUT =
  /^(\d+) of the predicted numbers are of runs in which nothing was fitted to their study/gm;
const ANSWERS = /^(\d+) of the predicted numbers that are within are answers of their own$/gm;
const SEALED = /^before anybody looked \([\d-]+\): (\d+) of (\d+) within/gm;
const BASELINE =
  /^(\d+) of the predicted numbers have a baseline, .*: (\d+) are within by that, (\d+) by the model$/gm;
const TRIED =
  /^of the (\d+) predicted that are missed a counterfactual meets (\d+) and so may show why, (\d+) more by .*, (\d+) it does not meet, and (\d+) have none$/gm;

/** Reads what stands beneath each board. */
export function headsOf(boards: readonly string[] = Object.values(texts)): Heads {
  /** The sum of each number of a sentence over all boards. */
  const sums = (sentence: RegExp, count: number): readonly number[] => {
    const found = boards.flatMap((text) => [...text.matchAll(sentence)]);
    return Array.from({ length: count }, (_, at) =>
      found.reduce((sum, words) => sum + Number(words[at + 1]), 0),
    );
  };
  const [heldOut = 0] = sums(HELD_OUT, 1);
  const [answers = 0] = sums(ANSWERS, 1);
  const [inside = 0, sealed = 0] = sums(SEALED, 2);
  const [numbers = 0, within = 0, modelled = 0] = sums(BASELINE, 3);
  const [all = 0, met = 0, chosen = 0, notMet = 0, without = 0] = sums(TRIED, 5);
  return {
    heldOut,
    answers,
    sealed: { numbers: sealed, within: inside },
    baseline: { numbers, within, modelled },
    missed: { all, met, chosen, notMet, without },
  };
}

/** What a counterfactual does to all predicted numbers of an entry. */
export interface Throughout {
  /** How many of how many that are not met would be. */
  readonly gained: number;
  readonly missed: number;
  /** How many of how many that are met would not be. */
  readonly lost: number;
  readonly within: number;
  /** What is otherwise. */
  readonly what: string;
}

const THROUGHOUT =
  /^ {4}tried on all predicted: (\d+) of (\d+) not within are, (\d+) of (\d+) within are not, if (.*)$/;

/** What was tried on all predicted numbers, by the id of the entry. */
export function throughoutOf(
  boards: readonly string[] = Object.values(texts),
): ReadonlyMap<string, readonly Throughout[]> {
  const tried = new Map<string, Throughout[]>();
  let lines: Throughout[] = [];
  for (const line of boards.flatMap((text) => text.split('\n'))) {
    const [, id] = ENTRY.exec(line) ?? [];
    if (id !== undefined) tried.set(id, (lines = []));
    const [, gained, missed, lost, within, what] = THROUGHOUT.exec(line) ?? [];
    if (what === undefined) continue;
    lines.push({
      gained: Number(gained),
      missed: Number(missed),
      lost: Number(lost),
      within: Number(within),
      what,
    });
  }
  return tried;
}

/** By the id of an entry. Throws where the pinned board and the published numbers do not agree. */
export function pinnedRows(studies: readonly Study[]): ReadonlyMap<string, readonly Row[]> {
  const entries = studies.flatMap((study) => study.entries);
  const printed = new Map(Object.values(texts).flatMap((text) => [...readBoard(text)]));
  return new Map(
    entries.flatMap((entry) => {
      const lines = printed.get(entry.id);
      return lines === undefined ? [] : [[entry.id, rowsOf(entry, lines)] as const];
    }),
  );
}

/** A line of the printed board, with the note that follows it. */
export interface Printed {
  readonly verdict: Reproduced['verdict'];
  readonly kind: Reproduced['kind'];
  readonly modelled: number | undefined;
  readonly interval: number;
  readonly ratio: number | undefined;
  readonly item: string;
  readonly note: string;
  readonly counterfactual: Counterfactual | undefined;
}

const ENTRY = /^ {2}(\w+\.[\w-]+) {2}\S/;
/** Verdict, kind, published, modelled with its interval, and after a ratio or its room the name. */
const LINE =
  /^ {4}(within|missed|chance) +(predicted|fitted|fudged|bound|given) +\S.*? +(-|-?[\d.]+)(?: ±([\d.]+))? +?(?: {0,4}(-?\d+\.\d\d)| {5}) {2}(\S.*)$/;
/** Whether it would be met, and if so by choice, modelled with its interval, after a ratio or its room what is otherwise. */
const IF =
  /^ {11}if +(met|chosen|not met) +(-?[\d.]+)(?: ±([\d.]+))? +?(?: {0,4}(-?\d+\.\d\d)| {5}) {2}(\S.*)$/;
/** More of a note, or of what is otherwise. */
const MORE = /^ {60}(\S.*)$/;

/** The lines of each entry of a printed board, in their order. */
export function readBoard(text: string): ReadonlyMap<string, readonly Printed[]> {
  const board = new Map<string, Printed[]>();
  let lines: Printed[] = [];
  for (const line of text.split('\n')) {
    const [, id] = ENTRY.exec(line) ?? [];
    const [, more] = MORE.exec(line) ?? [];
    const found = LINE.exec(line);
    const otherwise = IF.exec(line);
    const last = lines.at(-1);
    if (id !== undefined) board.set(id, (lines = []));
    else if (more !== undefined && last !== undefined) lines[lines.length - 1] = longer(last, more);
    else if (otherwise !== null && last !== undefined)
      lines[lines.length - 1] = { ...last, counterfactual: counterfactualOf(otherwise) };
    else if (found !== null) lines.push(printedOf(found));
  }
  return board;
}

function longer(line: Printed, more: string): Printed {
  const { counterfactual, note } = line;
  return counterfactual === undefined
    ? { ...line, note: `${note} ${more}`.trim() }
    : { ...line, counterfactual: { ...counterfactual, what: `${counterfactual.what} ${more}` } };
}

function counterfactualOf([
  ,
  met,
  modelled,
  interval,
  ratio,
  what,
]: RegExpExecArray): Counterfactual {
  return {
    met: met === 'met' || met === 'chosen' ? met : 'not met',
    modelled: Number(modelled),
    interval: Number(interval ?? 0),
    ratio: ratio === undefined ? undefined : Number(ratio),
    what: what ?? '',
  };
}

function printedOf([, verdict, kind, modelled, interval, ratio, item]: RegExpExecArray): Printed {
  return {
    verdict: verdict as Reproduced['verdict'],
    kind: kind as Reproduced['kind'],
    modelled: modelled === '-' ? undefined : Number(modelled),
    interval: Number(interval ?? 0),
    ratio: ratio === undefined ? undefined : Number(ratio),
    item: item ?? '',
    note: '',
    counterfactual: undefined,
  };
}

/** The printed lines stand in the order of the entry's numbers, which have what was not printed. */
function rowsOf(entry: PaperEntry, lines: readonly Printed[]): readonly Row[] {
  if (lines.length !== entry.items.length)
    throw new Error(`${entry.id}: ${lines.length} numbers are pinned of ${entry.items.length}`);
  return lines.map((line, index) => ({
    ...line,
    entry: entry.id,
    unit: entry.unit,
    published: entry.items[index]!.published,
    tolerance: undefined,
    scenario: undefined,
  }));
}
