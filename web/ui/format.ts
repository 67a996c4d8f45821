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
  return withoutZeros(threeDigits(nanos, TIMES));
}

/** The scale of the film: `1 s of film = 20 µs`. */
export function formatScale(nanosPerSecondOfFilm: number): string {
  return `1${SPACE}s of film = ${formatRoundNanos(nanosPerSecondOfFilm)}`;
}

/**
 * A moment to the last nanosecond, in the unit that fits the whole run so that it never
 * changes while time passes: `12.408 331 ms`.
 */
export function formatMoment(nanos: number, duration: number): string {
  const unit = TIMES.find(({ size }) => duration < size * 1000) ?? TIMES[3];
  const decimals = Math.round(Math.log10(unit.size));
  const [whole = '0', fraction = ''] = (Math.floor(nanos) / unit.size).toFixed(decimals).split('.');
  const groups = fraction.match(/\d{3}/g) ?? [];
  return `${whole}${groups.length > 0 ? `.${groups.join(THIN)}` : ''}${SPACE}${unit.name}`;
}

/** A number of bytes to three digits: `96 B`, `1.45 kB`, `41.0 MB`. */
export function formatBytes(bytes: number): string {
  return threeDigits(bytes, BYTES);
}

/** A rate of data to three digits: `5.50 Gbit/s`. */
export function formatBitRate(bytesPerSecond: number): string {
  return threeDigits(bytesPerSecond * 8, BITS_PER_SECOND);
}

/** A whole number in groups of three: `12,345`. */
export function formatCount(count: number): string {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: 0 }).format(count);
}

/** A number that need not be whole, to three digits: `0.04`, `3.40`, `1,235`. */
export function formatNumber(number: number): string {
  if (Number.isInteger(number) || Math.abs(number) >= 999.5) return formatCount(number);
  return precise(number);
}

/** A count with its noun: `1 packet`, `12,345 packets`. */
export function formatCounted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)}${SPACE}${count === 1 ? one : many}`;
}

/** A share of a whole: `93 %`, `0.4 %`, `< 0.1 %`; never 100 % or 0 % of something that is not. */
export function formatShare(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (part / whole) * 100;
  if (part > 0 && percent < 0.1) return `< 0.1${SPACE}%`;
  if (part < whole && percent > 99.9) return `> 99.9${SPACE}%`;
  const digits = percent < 10 || percent > 99 ? 1 : 0;
  return `${withoutZeros(percent.toFixed(digits))}${SPACE}%`;
}

/** The smallest unit in which three digits are less than 1000; in the first unit whole numbers stay whole. */
function threeDigits(amount: number, units: readonly [Unit, ...Unit[]]): string {
  const size = Math.abs(amount);
  const fits = (unit: Unit) => Number((size / unit.size).toPrecision(3)) < 1000;
  const unit = units.find(fits) ?? units[units.length - 1] ?? units[0];
  const value = amount / unit.size;
  const isWhole = unit.size === 1 && Number.isInteger(amount);
  const isHuge = Math.abs(value) >= 999.5;
  const digits = isWhole ? String(amount) : isHuge ? formatCount(value) : precise(value);
  return `${digits}${SPACE}${unit.name}`;
}

/** Three digits, but not of nothing: a mean of 0.04 ns is 0.04, not 0.0400. */
function precise(value: number): string {
  return Math.abs(value) < 0.995 ? withoutZeros(value.toFixed(2)) : value.toPrecision(3);
}

function withoutZeros(text: string): string {
  return text.replace(/\.(\d*?)0+(?!\d)/, (_, kept: string) => (kept === '' ? '' : `.${kept}`));
}
