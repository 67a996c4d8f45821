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

/** What stands beneath a printed board: the predicted numbers of runs in which nothing was fitted to their study. */
const HELD_OUT =
  /^(\d+) of the predicted numbers are of runs in which nothing was fitted to their study/m;

/** Of how many predicted numbers nothing was fitted to any number of their own study. */
export function heldOutOf(boards: readonly string[] = Object.values(texts)): number {
  const counts = boards.map((text) => Number(HELD_OUT.exec(text)?.[1] ?? 0));
  return counts.reduce((sum, count) => sum + count, 0);
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
