/**
 * What is typed into the time field: a moment of the run with its unit, a step from here with a sign
 * before it, or a second of told film. Whatever `formatMoment` writes reads back exactly. Nothing is
 * guessed: what cannot be read, or lies outside of the run, is refused with a reason.
 */
import type { Nanos } from '../core/core.ts';
import { groupSign, momentUnit } from '../numbers/format.ts';

export type Typed =
  | { readonly kind: 'run'; readonly time: Nanos }
  | { readonly kind: 'film'; readonly film: number }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'outside'; readonly what: 'run' | 'film' };

export interface Here {
  readonly time: Nanos;
  readonly duration: Nanos;
  /** Seconds of told film in all. */
  readonly filmLength: number;
}

const UNITS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
};

/** `12.3 ms`, `0,5 s`, `+20 µs`; the unit may be left out where the run has one of its own. */
const MOMENT = /^([+-]?)(\d+(?:[.,]\d+)?|[.,]\d+)(ns|us|µs|μs|ms|s)?$/u;
/** `film 12.5`, `film 12.5 s`, `12.5 s film`. */
const FILM = /^(?:film(\d+(?:[.,]\d+)?)s?|(\d+(?:[.,]\d+)?)s?(?:of)?film)$/u;

/** `1,500` where the language groups by commas: whether one and a half is meant or fifteen hundred, nobody knows. */
const GROUPED = /(?<![\d.,])[1-9]\d{0,2}([.,])\d{3}(?!\d)/u;

/** A number of no more digits than a moment can have. */
const LONGEST = 40;

export function parseMoment(text: string, { time, duration, filmLength }: Here): Typed {
  const bare = text.replaceAll(/\s/gu, '').replaceAll('−', '-').toLowerCase();
  if (bare.length > LONGEST) return { kind: 'unreadable' };
  const between = GROUPED.exec(bare)?.[1];
  if (between !== undefined && between === groupSign()) return { kind: 'unreadable' };
  const film = FILM.exec(bare);
  if (film !== null) {
    const seconds = numberOf(film[1] ?? film[2] ?? '');
    if (seconds > filmLength) return { kind: 'outside', what: 'film' };
    return { kind: 'film', film: seconds };
  }
  const [, sign, digits, unit] = MOMENT.exec(bare) ?? [];
  if (digits === undefined) return { kind: 'unreadable' };
  const nanos = nanosOf(digits, UNITS[unit ?? ''] ?? momentUnit(duration).size);
  const moment = sign === '' ? nanos : time + (sign === '-' ? -nanos : nanos);
  if (moment < 0 || moment > duration) return { kind: 'outside', what: 'run' };
  return { kind: 'run', time: moment };
}

/** Exact: the digits are moved, not multiplied, as 0.1 has no exact float. */
function nanosOf(digits: string, unit: number): Nanos {
  const [whole = '', fraction = ''] = digits.replace(',', '.').split('.');
  const places = Math.round(Math.log10(unit));
  const moved = `${whole}${fraction.slice(0, places).padEnd(places, '0')}`;
  return Number(moved);
}

function numberOf(digits: string): number {
  return Number(digits.replace(',', '.'));
}
