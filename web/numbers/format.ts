/**
 * How numbers are written: times in the unit that fits them, points in time to every digit, bytes, rates
 * and counts. Columns of numbers are set in tabular digits by base.css (`time`, `output`, tables).
 * Independent of the domain; only units are known here.
 */

/** Returns the language whose digits and separators are used; set by the owner of the viewer's choice. */
let locale: () => string = () => 'en';

/** Sets the language of numbers, as a function that is called for each number. */
export function setFormatLocale(current: () => string): void {
  locale = current;
}

/**
 * The number of digits: exact decimals, at most that many decimals, the same without grouping, or three
 * significant digits of which that many are always written.
 */
type Digits = 'decimals' | 'up-to' | 'ungrouped' | 'of-three';

const OPTIONS: Readonly<Record<Digits, (count: number) => Intl.NumberFormatOptions>> = {
  decimals: (count) => ({ minimumFractionDigits: count, maximumFractionDigits: count }),
  'up-to': (count) => ({ maximumFractionDigits: count }),
  ungrouped: (count) => ({ maximumFractionDigits: count, useGrouping: false }),
  'of-three': (count) => ({ minimumSignificantDigits: count, maximumSignificantDigits: 3 }),
};

/** Cached by language and number of digits, as making a formatter takes longer than using it. */
const formatters = new Map<string, Intl.NumberFormat>();

function written(value: number, digits: Digits, count: number): string {
  const key = `${locale()} ${digits} ${count}`;
  const formatter = formatters.get(key) ?? new Intl.NumberFormat(locale(), OPTIONS[digits](count));
  formatters.set(key, formatter);
  // A value rounded to zero has no minus sign.
  return formatter.format(value === 0 ? 0 : value).replace(/^-(?=[0.,]*$)/, '');
}

/** Between groups of three digits and before a unit: keeps a number on one line. */
const THIN = '\u202f';
const SPACE = '\u00a0';

interface Unit {
  readonly name: string;
  readonly size: number;
}

const TIMES = [
  { name: 'ns', size: 1 },
  { name: 'µs', size: 1e3 },
  { name: 'ms', size: 1e6 },
  { name: 's', size: 1e9 },
] as const satisfies readonly Unit[];

const BYTES = [
  { name: 'B', size: 1 },
  { name: 'kB', size: 1e3 },
  { name: 'MB', size: 1e6 },
  { name: 'GB', size: 1e9 },
] as const satisfies readonly Unit[];

const COUNTS = [
  { name: '', size: 1 },
  { name: 'k', size: 1e3 },
  { name: 'M', size: 1e6 },
  { name: 'G', size: 1e9 },
  { name: 'T', size: 1e12 },
] as const satisfies readonly Unit[];

const BITS_PER_SECOND = [
  { name: 'bit/s', size: 1 },
  { name: 'kbit/s', size: 1e3 },
  { name: 'Mbit/s', size: 1e6 },
  { name: 'Gbit/s', size: 1e9 },
] as const satisfies readonly Unit[];

/** A duration to three digits: `431 ns`, `4.30 µs`, `28.4 µs`, `1.25 ms`. */
export function formatNanos(nanos: number): string {
  return threeDigits(nanos, TIMES);
}

/** A round duration, without trailing zeros: `20 µs`, `1.5 ms`. */
export function formatRoundNanos(nanos: number): string {
  return threeDigits(nanos, TIMES, 1);
}

/**
 * A point in time to the nanosecond, in the unit that fits the whole run so that it never changes while
 * time passes: `12.408 331 ms`.
 */
export function formatMoment(nanos: number, duration: number): string {
  const unit = momentUnit(duration);
  const decimals = Math.round(Math.log10(unit.size));
  const [whole = '0', fraction = ''] = (Math.floor(nanos) / unit.size).toFixed(decimals).split('.');
  const groups = fraction.match(/\d{3}/g) ?? [];
  const decimal = groups.length > 0 ? `${decimalSign()}${groups.join(THIN)}` : '';
  return `${whole}${decimal}${SPACE}${unit.name}`;
}

/** The unit for points in time of a run: the smallest in which its duration is below a thousand. */
export function momentUnit(duration: number): Unit {
  return TIMES.find(({ size }) => duration < size * 1000) ?? TIMES[3];
}

/** Seconds of film as hours, minutes and seconds: `0:07`, `12:03`, `1:02:03`. */
export function formatFilm(seconds: number): string {
  const whole = Math.floor(Math.max(0, seconds));
  const two = (number: number) => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const start = hours > 0 ? `${hours}:${two(minutes)}` : String(minutes);
  return `${start}:${two(whole % 60)}`;
}

/** A number of bytes to three digits: `96 B`, `1.45 kB`, `41.0 MB`. */
export function formatBytes(bytes: number): string {
  return threeDigits(bytes, BYTES);
}

/** The length of a packet in bytes, or a text for an unknown one. */
export function formatLength(bytes: number): string {
  return bytes === 0 ? '? B' : formatBytes(bytes);
}

/** A number of bytes without trailing zeros: `4 MB`, `2.18 kB`. */
export function formatRoundBytes(bytes: number): string {
  return threeDigits(bytes, BYTES, 1);
}

/** A rate of data to three digits: `5.50 Gbit/s`. */
export function formatBitRate(bytesPerSecond: number): string {
  return threeDigits(bytesPerSecond * 8, BITS_PER_SECOND);
}

/** A whole number in groups of three: `12,345`. */
export function formatCount(count: number): string {
  return formatDecimals(count, 0);
}

/** A large whole number to three digits: `456 k`, `2.41 M`. */
export function formatShort(count: number): string {
  return threeDigits(count, COUNTS).trimEnd();
}

/** A number with exactly this many decimals: `12.50`. */
export function formatDecimals(value: number, decimals: number): string {
  return written(value, 'decimals', decimals);
}

/** A number with at most this many decimals, without trailing zeros: `12.5`. */
export function formatUpTo(value: number, decimals: number): string {
  return written(value, 'up-to', decimals);
}

/** A number as it can be typed: with at most this many decimals, and without group separators. */
export function formatUngrouped(value: number, decimals: number): string {
  return written(value, 'ungrouped', decimals);
}

/** The decimal separator: `.` or `,`. */
export function decimalSign(): string {
  return formatDecimals(0, 1).slice(1, -1);
}

/** The sign between groups of digits: `,` or `.`. */
export function groupSign(): string {
  return formatCount(1000).slice(1, -3);
}

/** A number that need not be whole, to three digits: `0.04`, `3.40`, `1,235`. */
export function formatNumber(number: number): string {
  if (Number.isInteger(number) || Math.abs(number) >= 999.5) return formatCount(number);
  return precise(number);
}

/** A fraction of a whole: `93 %`, `0.4 %`, `< 0.1 %`; never 100 % or 0 % unless it is exactly that. */
export function formatShare(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (part / whole) * 100;
  if (part > 0 && percent < 0.1) return `< ${formatUpTo(0.1, 1)}${SPACE}%`;
  if (part < whole && percent > 99.9) return `> ${formatUpTo(99.9, 1)}${SPACE}%`;
  return `${formatUpTo(percent, percent < 10 || percent > 99 ? 1 : 0)}${SPACE}%`;
}

/**
 * Chooses the smallest unit in which three digits are less than 1000; in the first unit whole numbers stay
 * whole.
 *
 * @param least number of digits that are written even if they are zeros
 */
function threeDigits(amount: number, units: readonly [Unit, ...Unit[]], least = 3): string {
  const size = Math.abs(amount);
  const fits = (unit: Unit) => Number((size / unit.size).toPrecision(3)) < 1000;
  const unit = units.find(fits) ?? units[units.length - 1] ?? units[0];
  const value = amount / unit.size;
  const isWhole = unit.size === 1 && Number.isInteger(amount);
  const isHuge = Math.abs(value) >= 999.5;
  const digits = isWhole || isHuge ? formatCount(value) : precise(value, least);
  return `${digits}${SPACE}${unit.name}`;
}

/** Three digits, but at most two decimals below 0.995: a mean of 0.04 ns is 0.04, not 0.0400. */
function precise(value: number, least = 3): string {
  if (Math.abs(value) < 0.995) return formatUpTo(value, 2);
  return written(value, 'of-three', least);
}
