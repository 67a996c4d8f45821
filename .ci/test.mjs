/**
 * `npm test`: set-up, then every check, two at a time where none waits for another; goes on after
 * a failure, and ends with one line that sums all runners. `npm test -- vitest eslint` runs only
 * the checks whose names begin so.
 */
import { availableParallelism } from 'node:os';
import { checks, countOf, forgetReport, preparations } from './checks.mjs';
import { setUp } from './setup.mjs';
import { SetupError, say, watch } from './shell.mjs';

// Most checks are one thread for most of their time: a second fills the second core.
const LANES = Math.min(2, availableParallelism());

const wanted = process.argv.slice(2);
const chosen = checks.filter(
  ({ name }) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)),
);
const needed = new Set(chosen.flatMap((check) => check.after ?? []));
const waiting = [...preparations.filter(({ name }) => needed.has(name)), ...chosen];
const running = new Set();
const broken = new Set();
const total = { passed: 0, failed: 0 };
const lines = [];

try {
  await setUp(['npm', 'rust']);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  fail('set-up', error.message);
  report();
}
while (waiting.length > 0 || running.size > 0) {
  begin();
  if (running.size > 0) await Promise.race([...running].map(({ finished }) => finished));
}
report();

/** Begins what can be begun. */
function begin() {
  for (const check of [...waiting]) {
    if (!isReady(check)) continue;
    waiting.splice(waiting.indexOf(check), 1);
    const missing = (check.after ?? []).filter((name) => broken.has(name));
    if (missing.length > 0) {
      fail(check.name, `not run, because of: ${missing.join(', ')}`);
      continue;
    }
    const job = { check, finished: undefined };
    running.add(job);
    job.finished = runCheck(check).then(() => running.delete(job));
  }
}

/** There is a lane for it, nobody has what it holds, and what it rests on is there or never will be. */
function isReady({ after = [], holds, isAlone = false }) {
  const others = [...running].map(({ check }) => check);
  if (others.length >= LANES || others.some((other) => other.isAlone)) return false;
  if (isAlone && (others.length > 0 || waiting.length > 1)) return false;
  if (holds !== undefined && others.some((other) => other.holds === holds)) return false;
  return !after.some(isPlanned);
}

function isPlanned(name) {
  const all = [...waiting, ...[...running].map(({ check }) => check)];
  return all.some((check) => check.name === name);
}

async function runCheck(check) {
  const began = Date.now();
  const isSeen = check.isAlone === true;
  if (isSeen) console.log(`\n── ${check.name}`);
  else say(`${check.name} begins`);
  forgetReport(check);
  const [command, ...args] = check.command;
  const env = {
    ...process.env,
    NO_COLOR: '1',
    FORCE_COLOR: undefined,
    CARGO_TERM_COLOR: 'never',
    ...check.env,
  };
  const options = { env, ...(check.cwd && { cwd: check.cwd }) };
  const found = await watch(command, args, options, isSeen);
  if (!isSeen) console.log(`\n── ${check.name}\n${found.output}`);
  const { passed, failed } = countOf(check, found);
  total.passed += passed;
  total.failed += failed;
  if (failed > 0) broken.add(check.name);
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  const repair = failed > 0 && check.repair ? ` (to repair: ${check.repair})` : '';
  lines.push(
    `${failed > 0 ? 'FAIL' : 'ok  '} ${check.name}: ${passed} passed, ${failed} failed, ${seconds} s${repair}`,
  );
}

function fail(name, why) {
  broken.add(name);
  total.failed += 1;
  lines.push(`FAIL ${name}: ${why}`);
  say(`${name}: ${why}`);
}

function report() {
  console.log(`\n${lines.join('\n')}`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exit(total.failed > 0 ? 1 : 0);
}
