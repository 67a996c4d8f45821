/**
 * How numbers read on screen: times in the unit that fits them, the clock's every digit,
 * bytes, rates and counts. Columns of them are set in tabular digits by base.css (`time`,
 * `output`, tables). It knows no domain word, only units.
 */

/** The language whose digits and separators are used; set by whoever knows the viewer's choice. */
let locale: () => string = () => 'en';

/** Numbers are written as this language does from now on; asked for each number anew. */
export function setFormatLocale(current: () => string): void {
  locale = current;
}

/** How many digits are written: so many decimals, so many decimals at most, or so many at most and no groups, three digits of which so many are always there. */
type Digits = 'decimals' | 'up-to' | 'ungrouped' | 'of-three';

const OPTIONS: Readonly<Record<Digits, (count: number) => Intl.NumberFormatOptions>> = {
  decimals: (count) => ({ minimumFractionDigits: count, maximumFractionDigits: count }),
  'up-to': (count) => ({ maximumFractionDigits: count }),
  ungrouped: (count) => ({ maximumFractionDigits: count, useGrouping: false }),
  'of-three': (count) => ({ minimumSignificantDigits: count, maximumSignificantDigits: 3 }),
};

/** Made once for each language and number of digits: making one takes longer than using it. */
const formatters = new Map<string, Intl.NumberFormat>();

function written(value: number, digits: Digits, count: number): string {
  const key = `${locale()} ${digits} ${count}`;
  const formatter = formatters.get(key) ?? new Intl.NumberFormat(locale(), OPTIONS[digits](count));
  formatters.set(key, formatter);
  // No minus before nothing: what is rounded away has no sign.
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

/** A length of time to three digits: `431 ns`, `4.30 µs`, `28.4 µs`, `1.25 ms`. */
export function formatNanos(nanos: number): string {
  return threeDigits(nanos, TIMES);
}

/** A length of time that is a round number, without needless digits: `20 µs`, `1.5 ms`. */
export function formatRoundNanos(nanos: number): string {
  return threeDigits(nanos, TIMES, 1);
}

/**
 * A moment to the last nanosecond, in the unit that fits the whole run so that it never
 * changes while time passes: `12.408 331 ms`.
 */
export function formatMoment(nanos: number, duration: number): string {
  const unit = momentUnit(duration);
  const decimals = Math.round(Math.log10(unit.size));
  const [whole = '0', fraction = ''] = (Math.floor(nanos) / unit.size).toFixed(decimals).split('.');
  const groups = fraction.match(/\d{3}/g) ?? [];
  const decimal = groups.length > 0 ? `${decimalSign()}${groups.join(THIN)}` : '';
  return `${whole}${decimal}${SPACE}${unit.name}`;
}

/** The unit in which moments of a run are written: the smallest in which it is below a thousand. */
export function momentUnit(duration: number): Unit {
  return TIMES.find(({ size }) => duration < size * 1000) ?? TIMES[3];
}

/** Seconds of film as films are counted: `0:07`, `12:03`, `1:02:03`. */
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

/** How long a packet is; nothing may have told it. */
export function formatLength(bytes: number): string {
  return bytes === 0 ? '? B' : formatBytes(bytes);
}

/** A number of bytes without needless digits: `4 MB`, `2.18 kB`. */
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

/** A number with so many decimals: `12.50`. */
export function formatDecimals(value: number, decimals: number): string {
  return written(value, 'decimals', decimals);
}

/** A number with so many decimals at most, none of them a needless zero: `12.5`. */
export function formatUpTo(value: number, decimals: number): string {
  return written(value, 'up-to', decimals);
}

/** A number as it may be typed: with at most so many decimals, and nothing between thousands. */
export function formatUngrouped(value: number, decimals: number): string {
  return written(value, 'ungrouped', decimals);
}

/** What stands before the decimals: `.` or `,`. */
export function decimalSign(): string {
  return formatDecimals(0, 1).slice(1, -1);
}

/** A number that need not be whole, to three digits: `0.04`, `3.40`, `1,235`. */
export function formatNumber(number: number): string {
  if (Number.isInteger(number) || Math.abs(number) >= 999.5) return formatCount(number);
  return precise(number);
}

/** A share of a whole: `93 %`, `0.4 %`, `< 0.1 %`; never 100 % or 0 % of something that is not. */
export function formatShare(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (part / whole) * 100;
  if (part > 0 && percent < 0.1) return `< ${formatUpTo(0.1, 1)}${SPACE}%`;
  if (part < whole && percent > 99.9) return `> ${formatUpTo(99.9, 1)}${SPACE}%`;
  return `${formatUpTo(percent, percent < 10 || percent > 99 ? 1 : 0)}${SPACE}%`;
}

/**
 * The smallest unit in which three digits are less than 1000; in the first unit whole numbers stay whole.
 *
 * @param least how many of the digits are written though they are zeros
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

/** Three digits, but not of nothing: a mean of 0.04 ns is 0.04, not 0.0400. */
function precise(value: number, least = 3): string {
  if (Math.abs(value) < 0.995) return formatUpTo(value, 2);
  return written(value, 'of-three', least);
}
