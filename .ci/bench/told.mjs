/**
 * How the shelf plays: told film beside what played before there was any, which
 * `play-before.json` keeps (the page's default speed, ten seconds of film from where it opened).
 */
import { readFileSync } from 'node:fs';
import { SetupError, ask, root } from '../shell.mjs';
import { join } from 'node:path';

const BEFORE = join(root, '.ci', 'bench', 'play-before.json');

/** Seconds of film until something moves, hops in ten seconds, the longest stillness of a minute. */
const ASKED = { moves: 1, hops: 8, still: 1.5 };

/** The rows of the table: a run's name, what it is told like, what it was. */
export function toldRows(command) {
  const before = JSON.parse(readFileSync(BEFORE, 'utf8'));
  const said = ask(command, ['told', join(root, 'traces')], { timeout: 300_000 });
  if (said === undefined) throw new SetupError(`${command} did not tell the shelf`);
  const runs = said
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const head = ['', 'moves after s', 'hops in 10 s', 'still s', ''];
  return [
    head,
    ...runs.map(({ name, moves, hops, left, still }) => {
      const isReached =
        moves <= ASKED.moves && hops >= Math.min(ASKED.hops, left) && still <= ASKED.still;
      const was = before[name];
      return [
        name,
        beside(was?.moves, moves, 2),
        beside(was?.hops, hops, 0),
        beside(was?.still, still, 2),
        isReached ? 'reached' : 'MISSED',
      ];
    }),
    ['asked', `≤ ${ASKED.moves}`, `≥ ${ASKED.hops}`, `≤ ${ASKED.still}`, ''],
  ];
}

/** `9.80 → 1.40`: before and now. */
function beside(was, now, digits) {
  const text = (value) =>
    value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const then = was === undefined ? '' : was === null ? 'never' : text(was);
  return `${then} → ${text(now)}`;
}
