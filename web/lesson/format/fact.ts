/**
 * Facts: statements of a lesson about its runs in a form that can be checked, such as `throughput@two /
 * throughput@one < 0.9` or `longest-stay(typical journey) = "rx ring"`. A fact compares terms; a term is a
 * number with its unit, a quoted word, a measure of a run, or the quotient of two of these.
 * `play/measure.ts` evaluates the measures.
 */

/** Terms can be compared only if they have the same dimension. */
export type Dimension = 'time' | 'rate' | 'bytes' | 'number' | 'word';

/** Every measure: the dimension of its value, and its argument. */
export const MEASURES = {
  throughput: { gives: 'rate', asks: [] },
  'bytes-delivered': { gives: 'bytes', asks: [] },
  packets: { gives: 'number', asks: [] },
  delivered: { gives: 'number', asks: [] },
  merged: { gives: 'number', asks: [] },
  dropped: { gives: 'number', asks: [] },
  transmitted: { gives: 'number', asks: [] },
  interrupts: { gives: 'number', asks: [] },
  polls: { gives: 'number', asks: [] },
  cpus: { gives: 'number', asks: [] },
  'lines-crossed': { gives: 'number', asks: [] },
  'lock-waits': { gives: 'number', asks: [] },
  'lock-wait': { gives: 'time', asks: [] },
  'max-depth': { gives: 'number', asks: ['queue'] },
  'busy-share': { gives: 'number', asks: ['cpu', 'context'] },
  'median-stay': { gives: 'time', asks: ['station'] },
  took: { gives: 'time', asks: ['packet'] },
  service: { gives: 'time', asks: ['packet'] },
  waited: { gives: 'time', asks: ['packet'] },
  stay: { gives: 'time', asks: ['packet', 'station'] },
  'longest-stay': { gives: 'word', asks: ['packet'] },
  'first-cpu': { gives: 'number', asks: ['packet'] },
  'last-cpu': { gives: 'number', asks: ['packet'] },
  fragments: { gives: 'number', asks: ['packet'] },
  verdict: { gives: 'word', asks: ['packet'] },
  between: { gives: 'time', asks: ['moment', 'moment'] },
} as const satisfies Readonly<Record<string, MeasureKind>>;

export type MeasureName = keyof typeof MEASURES;
export type Asked = 'queue' | 'station' | 'cpu' | 'context' | 'packet' | 'moment';

interface MeasureKind {
  readonly gives: Dimension;
  readonly asks: readonly Asked[];
}

export type Quantity =
  | { readonly kind: 'number'; readonly value: number; readonly dimension: Dimension }
  | { readonly kind: 'word'; readonly word: string }
  | Measure;

export interface Measure {
  readonly kind: 'measure';
  readonly name: MeasureName;
  readonly asks: readonly string[];
  /** The name of a run of the lesson; `undefined`: the run that the step shows. */
  readonly run: string | undefined;
}

/** A quantity, or the quotient of two. */
export interface Term {
  readonly over: Quantity;
  readonly under: Quantity | undefined;
  readonly dimension: Dimension;
  /** The term as written. */
  readonly text: string;
}

export type Comparison = '<' | '<=' | '=' | '!=' | '>=' | '>';

/** Terms with a comparison between each two: `0.9 <= a / b <= 1.1`. */
export interface Fact {
  readonly terms: readonly Term[];
  readonly comparisons: readonly Comparison[];
  readonly text: string;
}

/** Units with their sizes in nanoseconds, bits per second, bytes or plain numbers. */
const UNITS: Readonly<Record<string, readonly [dimension: Dimension, size: number]>> = {
  ns: ['time', 1],
  µs: ['time', 1e3],
  us: ['time', 1e3],
  ms: ['time', 1e6],
  s: ['time', 1e9],
  'bit/s': ['rate', 1],
  'kbit/s': ['rate', 1e3],
  'Mbit/s': ['rate', 1e6],
  'Gbit/s': ['rate', 1e9],
  B: ['bytes', 1],
  kB: ['bytes', 1e3],
  MB: ['bytes', 1e6],
  '%': ['number', 0.01],
};

const NUMBER = /^(\d[\d,]*(?:\.\d+)?(?:e\d+)?)\s*(ns|µs|us|ms|s\b|[kMG]?bit\/s|[kM]?B\b|%)?/;
const WORD = /^["“]([^"”]*)["”]/;
const MEASURE = /^([a-z][a-z-]*)(?:\(([^)]*)\))?(?:@([a-z][a-z0-9-]*))?/;
const COMPARISON = /^(<=|>=|!=|<|>|=)/;

/** Reads a fact. Throws an Error that names what cannot be read. */
export function readFact(text: string): Fact {
  const rest = new Rest(text);
  const terms = [rest.term()];
  const comparisons: Comparison[] = [];
  while (!rest.isDone) {
    comparisons.push(rest.comparison());
    terms.push(rest.term());
  }
  if (comparisons.length === 0) throw new Error(`“${text}” compares nothing`);
  const [first] = terms;
  const other = terms.find(({ dimension }) => dimension !== first?.dimension);
  if (first !== undefined && other !== undefined) {
    throw new Error(
      `“${text}” compares ${named(first.dimension)} with ${named(other.dimension)}: give both the same unit`,
    );
  }
  return { terms, comparisons, text: text.trim() };
}

/** Reads one term, such as one that a vary step shows after each try. Throws an Error. */
export function readTerm(text: string): Term {
  const rest = new Rest(text);
  const term = rest.term();
  if (!rest.isDone) throw new Error(`“${rest.text}” is too much in “${text}”`);
  return term;
}

/** Whether the fact holds for these values of its terms, in their order. */
export function holds(fact: Fact, values: readonly (number | string)[]): boolean {
  return fact.comparisons.every((comparison, index) => {
    const left = values[index];
    const right = values[index + 1];
    if (left === undefined || right === undefined) return false;
    return compares(left, comparison, right);
  });
}

function compares(left: number | string, comparison: Comparison, right: number | string): boolean {
  switch (comparison) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '=':
      return left === right;
    case '!=':
      return left !== right;
    case '>=':
      return left >= right;
    case '>':
      return left > right;
  }
}

class Rest {
  text: string;

  constructor(text: string) {
    this.text = text.trim();
  }

  get isDone(): boolean {
    return this.text === '';
  }

  comparison(): Comparison {
    const [sign] = this.#take(COMPARISON, 'a comparison (<, <=, =, !=, >=, >)');
    return sign as Comparison;
  }

  term(): Term {
    const before = this.text;
    const over = this.#quantity();
    const hasUnder = this.text.startsWith('/');
    if (hasUnder) this.text = this.text.slice(1).trimStart();
    const under = hasUnder ? this.#quantity() : undefined;
    const text = before.slice(0, before.length - this.text.length).trim();
    return { over, under, text, dimension: divided(over, under, text) };
  }

  #quantity(): Quantity {
    const word = WORD.exec(this.text);
    if (word !== null) return { kind: 'word', word: this.#taken(word)[1] ?? '' };
    const number = NUMBER.exec(this.text);
    if (number !== null) return numberOf(this.#taken(number));
    return measureOf(this.#take(MEASURE, 'a number, a “word” or a measure'));
  }

  #take(pattern: RegExp, wanted: string): RegExpExecArray {
    const found = pattern.exec(this.text);
    if (found === null) {
      throw new Error(
        this.isDone ? `${wanted} is missing at the end` : `“${this.text}” is not ${wanted}`,
      );
    }
    return this.#taken(found);
  }

  #taken(found: RegExpExecArray): RegExpExecArray {
    this.text = this.text.slice(found[0].length).trimStart();
    return found;
  }
}

function numberOf([, digits = '', unit = '']: RegExpExecArray): Quantity {
  const [dimension, size] = UNITS[unit] ?? ['number', 1];
  return { kind: 'number', value: Number(digits.replaceAll(',', '')) * size, dimension };
}

function measureOf([, name = '', given, run]: RegExpExecArray): Measure {
  if (!isMeasure(name)) {
    throw new Error(`there is no measure “${name}”; there are ${Object.keys(MEASURES).join(', ')}`);
  }
  const wanted = MEASURES[name].asks;
  const asks = given === undefined ? [] : given.split(',').map((part) => part.trim());
  if (asks.length !== wanted.length) {
    throw new Error(`${name} is asked with (${wanted.join(', ')})`);
  }
  return { kind: 'measure', name, asks, run };
}

function isMeasure(name: string): name is MeasureName {
  return Object.hasOwn(MEASURES, name);
}

function dimensionOf(quantity: Quantity): Dimension {
  switch (quantity.kind) {
    case 'number':
      return quantity.dimension;
    case 'word':
      return 'word';
    case 'measure':
      return MEASURES[quantity.name].gives;
  }
}

function divided(over: Quantity, under: Quantity | undefined, text: string): Dimension {
  const dimension = dimensionOf(over);
  if (under === undefined) return dimension;
  const divisor = dimensionOf(under);
  if (dimension === 'word' || divisor === 'word') throw new Error(`“${text}” divides words`);
  // Lines per kilobyte, packets per interrupt: a plain number.
  return divisor === 'number' ? dimension : 'number';
}

function named(dimension: Dimension): string {
  return { time: 'a time', rate: 'a rate', bytes: 'bytes', number: 'a number', word: 'a word' }[
    dimension
  ];
}
