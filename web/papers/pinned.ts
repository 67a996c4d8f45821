/**
 * The pinned scoreboard: reads the output of `ringside reproduce` for each study (`wasm-core/tests/board/`,
 * which a test compares with the model), so that the page has every number before anything is run. Figures
 * have the four digits that were printed.
 */
import type { PaperEntry, Reproduced, Study } from '../core/simulation.ts';

/** A number of the board, from a run here or pinned; pinned rows have no scenario and no tolerance. */
export interface Row extends Omit<Reproduced, 'tolerance' | 'scenario'> {
  readonly tolerance: number | undefined;
  readonly scenario: string | undefined;
  /** The number with one condition changed, as pinned: it shows why a number is missed. */
  readonly counterfactual?: Counterfactual | undefined;
}

export interface Counterfactual extends Pick<Reproduced, 'modelled' | 'interval' | 'ratio'> {
  /** Whether the number would be met, and if so whether the amount of the change was chosen for that; or chance decides. */
  readonly met: 'met' | 'chosen' | 'not met' | 'chance';
  /** The condition that is changed. */
  readonly what: string;
}

const texts = import.meta.glob<string>('../../wasm-core/tests/board/*.txt', {
  eager: true,
  query: '?raw',
  import: 'default',
});

/** The summary lines of boards and studies, summed over all of them. */
export interface Heads {
  /** Predicted numbers from runs without any parameter fitted to their study. */
  readonly heldOut: number;
  /** Predicted numbers met that answer a question of their own. */
  readonly answers: number;
  /** Predictions recorded before anybody looked at the measurements, and those without repeats of another. */
  readonly sealed: {
    readonly numbers: number;
    readonly within: number;
    readonly own: number;
    readonly ownWithin: number;
  };
  /**
   * Predicted numbers with a measurement of an earlier host: how many that measurement meets, and the
   * model.
   */
  readonly baseline: {
    readonly numbers: number;
    readonly within: number;
    readonly modelled: number;
  };
  /** Missed predicted numbers: met, met by choice, not met and left to chance in an experiment, and without an experiment. */
  readonly missed: {
    readonly all: number;
    readonly met: number;
    readonly chosen: number;
    readonly notMet: number;
    readonly chance: number;
    readonly without: number;
  };
}

const HELD_OUT =
  /^(\d+) of the predicted numbers are of runs in which nothing was fitted to their study/gm;
const ANSWERS = /^(\d+) of the predicted numbers that are within are answers of their own$/gm;
const SEALED = /^before anybody looked \([\d-]+\): (\d+) of (\d+) within/gm;
const REPEATED =
  /^before anybody looked .*; (\d+) of (\d+) that repeat another number among them\)$/gm;
const BASELINE =
  /^(\d+) of the predicted numbers have a baseline, .*: (\d+) are within by that, (\d+) by the model, leaving intervals aside$/gm;
const TRIED =
  /^of the (\d+) predicted that are missed a counterfactual meets (\d+) and so may show why, (\d+) more by .*, (\d+) it does not meet, (\d+) it leaves to chance, and (\d+) have none$/gm;

/** Reads the summary below each board. */
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
  const [repeatsInside = 0, repeats = 0] = sums(REPEATED, 2);
  const [numbers = 0, within = 0, modelled = 0] = sums(BASELINE, 3);
  const [all = 0, met = 0, chosen = 0, notMet = 0, chance = 0, without = 0] = sums(TRIED, 6);
  return {
    heldOut,
    answers,
    sealed: {
      numbers: sealed,
      within: inside,
      own: sealed - repeats,
      ownWithin: inside - repeatsInside,
    },
    baseline: { numbers, within, modelled },
    missed: { all, met, chosen, notMet, chance, without },
  };
}

/** The effect of a counterfactual on all predicted numbers of an entry. */
export interface Throughout {
  /** Number of missed ones that it would meet, and number of missed ones. */
  readonly gained: number;
  readonly missed: number;
  /** Number of met ones that it would miss, and number of met ones. */
  readonly lost: number;
  readonly within: number;
  /** The condition that is changed. */
  readonly what: string;
}

const THROUGHOUT =
  /^ {4}tried on all predicted: (\d+) of (\d+) not within are, (\d+) of (\d+) within are not, if (.*)$/;

/** Counterfactuals for all predicted numbers, by the id of the entry. */
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

/** The pinned rows by the id of an entry. Throws if the pinned board and the published numbers disagree. */
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

/** A line of the printed board, with the note after it. */
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
/** Verdict, kind, published, modelled with its interval, then the ratio or blanks, then the name. */
const LINE =
  /^ {4}(within|missed|chance) +(predicted|fitted|fudged|bound|given) +\S.*? +(-|-?[\d.]+)(?: ±([\d.]+))? +?(?: {0,4}(-?\d+\.\d\d)| {5}) {2}(\S.*)$/;
/**
 * Whether it would be met, and if so by choice, modelled with its interval, then the ratio or blanks, then
 * the condition.
 */
const IF =
  /^ {11}if +(met|chosen|not met|chance) +(-?[\d.]+)(?: ±([\d.]+))? +?(?: {0,4}(-?\d+\.\d\d)| {5}) {2}(\S.*)$/;
/** The continuation of a note or of a condition. */
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
    met: met as Counterfactual['met'],
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

/** Printed lines are in the order of the entry's numbers, which supply the values that are not printed. */
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
