/**
 * Numbers in words: what was measured, what was wanted, and how far one is from the other.
 */

const units = {
  'MB/s': 0,
  'lines/s': 0,
  '/s': 0,
  '× file': 2,
  '× native': 2,
  '×': 2,
  ms: 2,
  '%': 1,
  kB: 1,
  'B an event': 1,
  '': 3,
};

/**
 * A row of the table. `atLeast` or `atMost` is the target; without one it is told for scale.
 * @param {string} what
 * @param {number} value
 * @param {keyof typeof units} unit
 * @param {{ atLeast?: number, atMost?: number }} [target]
 */
export function row(what, value, unit, { atLeast, atMost } = {}) {
  const target = atLeast ?? atMost;
  if (target === undefined) return [what, `${number(value, unit)} ${unit}`, '', ''];
  const sign = atLeast === undefined ? '≤' : '≥';
  const isReached = atLeast === undefined ? value <= target : value >= target;
  return [
    what,
    `${number(value, unit)} ${unit}`,
    `${sign} ${target.toLocaleString('en')} ${unit}`,
    `${isReached ? 'reached' : 'MISSED'}, ${(value / target).toFixed(2)} of it`,
  ];
}

/** A row that is so or not. */
export function fact(what, said, isSo) {
  return [what, said, 'all', isSo ? 'reached' : 'MISSED'];
}

export function printTable(title, rows) {
  const columns = rows[0]?.length ?? 0;
  const widths = Array.from({ length: columns - 1 }, (_, at) =>
    Math.max(...rows.map((cells) => cells[at].length)),
  );
  console.log(`\n${title}`);
  for (const cells of rows) {
    const padded = cells.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[at] ?? 0),
    );
    console.log(`  ${padded.join('  ').trimEnd()}`);
  }
}

/** The value below which this share of the values lies. */
export function quantile(values, at) {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))];
}

export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

function number(value, unit) {
  const digits = units[unit];
  return value.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
