/**
 * `npm run fuzz [MINUTES] [TARGET...]`: gives hostile input to the core for so many minutes, on
 * all cores, each target for its share of the time, and prints what was tried and what was found.
 * `npm run fuzz -- minimise` takes what is worth keeping over into the corpus that is checked in.
 *
 * The targets and what they hold are in `wasm-core/fuzz/`; the engine is libFuzzer.
 */
import { availableParallelism } from 'node:os';
import { allTargets, buildEngine, linesOf, minimise, turn } from './fuzz/engine.mjs';
import { printTable } from './bench/table.mjs';
import { setUp } from './setup.mjs';
import { SetupError, entry, say } from './shell.mjs';

const MINUTES = 10;

await entry(async () => {
  const [first, ...rest] = process.argv.slice(2);
  const isMinutes = first !== undefined && Number(first) > 0;
  const isMinimising = first === 'minimise';
  const asked = isMinimising || isMinutes ? rest : process.argv.slice(2);
  await setUp(['rust']);
  const targets = allTargets();
  const known = targets.map(({ name }) => name);
  const unknown = asked.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new SetupError(`no such target: ${unknown.join(', ')}; there are ${known.join(', ')}`);
  }
  const engine = buildEngine();
  if (isMinimising) minimise(engine, targets);
  else await fuzz(engine, asked.length > 0 ? asked : known, isMinutes ? Number(first) : MINUTES);
});

/** Every target once, as many at a time as there are cores. */
async function fuzz(engine, targets, minutes) {
  const lanes = Math.min(availableParallelism(), targets.length);
  const seconds = Math.max(1, Math.round((minutes * 60 * lanes) / targets.length));
  say(`${targets.length} targets, ${seconds} s each, ${lanes} at a time`);
  const waiting = [...targets];
  const turns = new Map();
  const lane = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      turns.set(name, await turn(engine, name, seconds));
      say(`${name}: ${turns.get(name).findings.length} findings`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  report(targets.map((name) => turns.get(name)));
  reportLines(linesOf(targets));
}

function reportLines(parts) {
  const all = parts.reduce(
    (sum, { covered, count }) => ({
      part: 'all of these',
      covered: sum.covered + covered,
      count: sum.count + count,
    }),
    { part: '', covered: 0, count: 0 },
  );
  const cells = [...parts, all].map(({ part, covered, count }) => [
    part,
    covered.toLocaleString('en'),
    count.toLocaleString('en'),
    `${((100 * covered) / count).toFixed(1)} %`,
  ]);
  printTable(
    'Lines of the core that all inputs run, by part; a part that none runs is not listed.',
    [['part', 'lines run', 'of', ''], ...cells],
  );
}

function report(turns) {
  const numbers = ({ elapsed, cpuSeconds, executions, edges, before, kept, findings }) =>
    [elapsed, cpuSeconds, executions, edges, edges - before, kept, findings.length].map((number) =>
      number.toLocaleString('en'),
    );
  const head = [
    'target',
    'seconds',
    'of CPU',
    'executions',
    'edges',
    'new edges',
    'inputs',
    'findings',
  ];
  printTable(
    'An edge is a branch of the compiled core; new is what no input took before. A target ends with its first finding.',
    [head, ...turns.map((turn) => [turn.name, ...numbers(turn)])],
  );
  const found = turns.flatMap(({ findings }) => findings);
  for (const { name, file, why } of found) {
    console.log(`\n${name}: ${why}`);
    console.log(`  (cd wasm-core && cargo run -p fuzz --bin replay -- ${name} ${file})`);
  }
  if (found.length > 0) process.exitCode = 1;
}
