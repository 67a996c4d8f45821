/**
 * Evaluates the measures of a fact in a run, and whether the fact holds. The page and the tests share this
 * code, so the goal of a vary step is judged by the code that checked that it can be met.
 */
import { NO_CPU } from '../../core/core.ts';
import type { Journey } from '../../core/journeys.ts';
import type { Measures } from '../../core/measures.ts';
import {
  holds,
  MEASURES,
  type Fact,
  type Measure,
  type Quantity,
  type Term,
} from '../format/fact.ts';
import { readMoment, readPacket } from '../format/moment.ts';
import { packetOf, stayAt, timeOf } from './moments.ts';
import { indexOfWord, type LessonRun } from './run.ts';

/** A time in nanoseconds, a rate in bits per second, a share from 0 to 1, or a word. */
export type Value = number | string;

/** The key of a term's value in `values.json`: the run that the step shows, and the term. */
export function keyOf(shown: string, term: Term): string {
  return `${shown}: ${term.text}`;
}

/** The key of the number of packets that a term's value rests on. */
export function countKeyOf(shown: string, term: Term): string {
  return `n: ${keyOf(shown, term)}`;
}

/** Returns the run of a name, or the step's own run for `undefined`. */
export type RunFinder = (name: string | undefined) => Promise<LessonRun>;

/** The value of a term. Throws an Error that names what the run does not have. */
export async function valueOf(runs: RunFinder, term: Term): Promise<Value> {
  const over = await quantityOf(runs, term.over);
  if (term.under === undefined) return over;
  return Number(over) / Number(await quantityOf(runs, term.under));
}

/** The number of packets that a term's value rests on: one, or those that were delivered while it was measured. */
export async function countOf(runs: RunFinder, { over }: Term): Promise<number> {
  if (over.kind !== 'measure') return 0;
  if (MEASURES[over.name].asks.some((asked) => asked === 'packet' || asked === 'moment')) return 1;
  return (await window(await runs(over.run))).packetsDelivered;
}

/** Whether the runs support a fact, and the values of its terms. */
export async function judge(
  runs: RunFinder,
  fact: Fact,
): Promise<{ readonly isSo: boolean; readonly values: readonly Value[] }> {
  const values: Value[] = [];
  for (const term of fact.terms) values.push(await valueOf(runs, term));
  return { isSo: holds(fact, values), values };
}

async function quantityOf(runs: RunFinder, quantity: Quantity): Promise<Value> {
  switch (quantity.kind) {
    case 'number':
      return quantity.value;
    case 'word':
      return quantity.word;
    case 'measure':
      return measured(await runs(quantity.run), quantity);
  }
}

async function measured(run: LessonRun, { name, asks }: Measure): Promise<Value> {
  const { opened } = run;
  const [first = '', second = ''] = asks;
  switch (name) {
    case 'packets':
      return opened.journeys.total;
    case 'delivered':
    case 'merged':
    case 'dropped':
    case 'transmitted':
      return opened.journeys[name];
    case 'cpus':
      return opened.cpus.length;
    case 'throughput':
    case 'bytes-delivered':
    case 'interrupts':
    case 'polls':
    case 'lines-crossed':
    case 'lock-waits':
    case 'lock-wait':
      return overall(name, await window(run));
    case 'max-depth':
      return maxDepth(run, first);
    case 'busy-share':
      return busyShare(run, Number(first), second);
    case 'median-stay':
      return medianStay(run, first);
    case 'took':
    case 'service':
    case 'waited':
    case 'stay':
    case 'longest-stay':
    case 'first-cpu':
    case 'last-cpu':
    case 'fragments':
    case 'verdict':
      return ofJourney(run, name, await journeyOf(run, first), second);
    case 'between':
      return (await timeOf(run, readMoment(second))) - (await timeOf(run, readMoment(first)));
  }
}

/** The measures of the part of the run after its warm-up. */
function window(run: LessonRun): Promise<Measures> {
  return run.questions.measures(run.measuredFrom, run.opened.duration);
}

function overall(
  name:
    | 'throughput'
    | 'bytes-delivered'
    | 'interrupts'
    | 'polls'
    | 'lines-crossed'
    | 'lock-waits'
    | 'lock-wait',
  { from, to, bytesDelivered, interrupts, polls, machine }: Measures,
): number {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  switch (name) {
    case 'throughput':
      return (recorded(bytesDelivered, name) * 8) / ((to - from) / 1e9);
    case 'bytes-delivered':
      return recorded(bytesDelivered, name);
    case 'interrupts':
      return recorded(interrupts, name);
    case 'polls':
      return recorded(polls, name);
    case 'lines-crossed':
      return sum(machine.moved.map(({ lines }) => lines));
    case 'lock-waits':
      return sum(machine.locks.map(({ waits }) => waits));
    case 'lock-wait':
      return sum(machine.locks.map(({ nanos }) => nanos));
  }
}

/** Throws if the run did not record the value that a lesson asks for. */
function recorded(value: number | undefined, name: string): number {
  if (value === undefined) throw new Error(`${name} was not recorded in this run`);
  return value;
}

function maxDepth(run: LessonRun, queue: string): number {
  const { queues } = run.glossary;
  const kind = indexOfWord(queues, queue, 'queue');
  const depths = run.opened.queues.filter((one) => one.kind === kind).map((one) => one.maxDepth);
  if (depths.length === 0) throw new Error(`this run has no ${queue}`);
  return Math.max(...depths);
}

async function busyShare(run: LessonRun, cpu: number, context: string): Promise<number> {
  const { contexts } = run.glossary;
  const index = indexOfWord(contexts, context, 'context');
  const { timeByContext, from, to } = await window(run);
  const row = timeByContext.find((one) => one.cpu === cpu);
  if (row === undefined) throw new Error(`this run has no CPU ${cpu}`);
  return (row.nanos[index] ?? 0) / (to - from);
}

async function medianStay(run: LessonRun, station: string): Promise<number> {
  const { layers } = await window(run);
  const layer = layers.find(({ kind, name }) => kind === 'station' && name === station);
  if (layer === undefined) throw new Error(`no packet of this run is ever at “${station}”`);
  return layer.median;
}

async function journeyOf(run: LessonRun, packet: string): Promise<Journey> {
  return run.questions.journey(await packetOf(run, readPacket(packet)));
}

function ofJourney(
  run: LessonRun,
  name:
    | 'took'
    | 'service'
    | 'waited'
    | 'stay'
    | 'longest-stay'
    | 'first-cpu'
    | 'last-cpu'
    | 'fragments'
    | 'verdict',
  journey: Journey,
  station: string,
): Value {
  const cpus = journey.stays.map(({ cpu }) => cpu).filter((cpu) => cpu !== NO_CPU);
  switch (name) {
    case 'took':
      return journey.end - journey.start;
    case 'service':
      return journey.service;
    case 'waited':
      return journey.wait;
    case 'stay': {
      const stay = stayAt(run, journey, station);
      return stay.leave - stay.enter;
    }
    case 'longest-stay': {
      const { stations } = run.glossary;
      const [longest] = journey.stays.toSorted((a, b) => b.leave - b.enter - (a.leave - a.enter));
      return stations[longest?.station ?? -1]?.name ?? '';
    }
    case 'first-cpu':
      return cpus[0] ?? NO_CPU;
    case 'last-cpu':
      return cpus.at(-1) ?? NO_CPU;
    case 'fragments':
      return journey.parts;
    case 'verdict':
      return journey.verdict;
  }
}
