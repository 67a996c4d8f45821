/**
 * The same large file opened in Perfetto's page and in ours, one after the other: how fast, how much of it
 * is kept, and what memory that takes.
 */
import { say } from '../shell.mjs';
import { buildCorePage, measureResident } from './core.mjs';
import { inputOf } from './input.mjs';
import { measurePerfetto } from './perfetto.mjs';
import { row } from './table.mjs';

/** Lines of the files. */
const SIZES = [1e6, 4e6];

/** Rows for each size of a capture repeated; the ratios are what to compare. */
export async function besidePerfetto(page, capture) {
  const core = await buildCorePage();
  const rows = [];
  for (const lines of SIZES) {
    const input = inputOf(capture, { lines });
    say(`opening ${Math.round(input.bytes / 1e6)} MB in Perfetto and here`);
    const theirs = await measurePerfetto(input, page);
    const ours = await measureResident(core, input);
    const rate = (seconds) => input.bytes / 1e6 / seconds;
    const times = (value) => [value / input.bytes, '× file'];
    rows.push(
      row(`${input.lines.toLocaleString('en')} lines: Perfetto`, rate(theirs.seconds), 'MB/s'),
      row('  ours, with journeys and replay', rate(ours.openMs / 1000), 'MB/s'),
      row('  ours beside it', theirs.seconds / (ours.openMs / 1000), '×', { atLeast: 1 }),
      row('  lines that are rows there', (theirs.kept / input.lines) * 100, '%'),
      row('  lines that are events here', (ours.events / input.lines) * 100, '%'),
    );
    if (theirs.memory === undefined || ours.memory === undefined) continue;
    rows.push(
      row('  peak memory of its page', ...times(theirs.memory)),
      row('  peak memory of ours', ...times(ours.memory)),
      row('  ours beside its', ours.memory / theirs.memory, '×'),
    );
  }
  return rows;
}
