/**
 * `npm test`: set-up, then every check, two at a time unless one depends on another. It goes on
 * after a failure, and ends with one line that sums all runners. `npm test -- vitest eslint`
 * runs only the checks whose names begin with these words. A check that passed before is
 * skipped while nothing that it reads has changed; `npm test -- --anew` runs it all the same.
 */
import { availableParallelism } from 'node:os';
import { checks, countOf, forgetReport, preparations, whyOf } from './checks.mjs';
import { keepPassed, keyOf, passedBefore } from './passed.mjs';
import { setUp } from './setup.mjs';
import { SetupError, listen, say } from './shell.mjs';

// Most checks are one thread for most of their time: a second fills the second core.
const LANES = Math.min(2, availableParallelism());

/** No check takes half as long: one that hangs is told of, and the others are. */
const MOST_MINUTES = 40;

/** So many failures are told again at the end. */
const MOST_REASONS = 10;

const isAnew = process.argv.includes('--anew');
const wanted = process.argv.slice(2).filter((word) => word !== '--anew');
const chosen = checks.filter(
  ({ name }) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)),
);
const unknown = wanted.filter((word) => !checks.some(({ name }) => name.startsWith(word)));
if (unknown.length > 0) {
  const names = checks.map(({ name }) => name).join(', ');
  say(`no check’s name begins with ${unknown.join(', ')}; there are: ${names}`);
  process.exit(1);
}
const before = new Map(chosen.map((check) => [check, isAnew ? undefined : passedBefore(check)]));
const waiting = withNeeds(chosen.filter((check) => before.get(check) === undefined));
const total = { passed: 0, failed: 0 };
const lines = [];
const reasons = [];
for (const check of chosen) if (!waiting.includes(check)) count(check, before.get(check));
const running = new Set();
const broken = new Set();

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

/** Counts a check that passed with all that it reads as it is now. */
function count({ name }, { passed, on }) {
  total.passed += passed;
  lines.push(
    `ok   ${name}: ${passed} passed on ${on}, and nothing that it reads has changed since`,
  );
}

/** Checks and all that they rest on, in the order in which they are begun. */
function withNeeds(some) {
  const all = [...preparations, ...checks];
  const needed = new Set(some);
  for (const check of needed) {
    for (const name of check.after ?? []) needed.add(all.find((other) => other.name === name));
  }
  return all.filter((check) => needed.has(check));
}

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
function isReady({ after = [], holds, isIdle = false }) {
  const others = [...running].map(({ check }) => check);
  if (!isIdle && others.filter((other) => !other.isIdle).length >= LANES) return false;
  if (holds !== undefined && others.some((other) => other.holds === holds)) return false;
  return !after.some(isPlanned);
}

function isPlanned(name) {
  const all = [...waiting, ...[...running].map(({ check }) => check)];
  return all.some((check) => check.name === name);
}

async function runCheck(check) {
  const began = Date.now();
  say(`${check.name} begins`);
  forgetReport(check);
  const key = checks.includes(check) ? keyOf(check) : undefined;
  const [command, ...args] = check.command;
  const env = {
    ...process.env,
    NO_COLOR: '1',
    FORCE_COLOR: undefined,
    CARGO_TERM_COLOR: 'never',
    ...check.env,
  };
  const options = { env, minutes: MOST_MINUTES, ...(check.cwd && { cwd: check.cwd }) };
  const found = await listen(command, args, options);
  console.log(`\n── ${check.name}\n${found.output}`);
  const { passed, failed } = countOf(check, found);
  total.passed += passed;
  total.failed += failed;
  if (failed > 0) {
    broken.add(check.name);
    reasons.push(...whyOf(check, found.output).map((why) => `── ${check.name}: ${why}\n`));
  } else keepPassed(check, key, passed);
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
  if (reasons.length > 0) console.log(`\n${reasons.slice(0, MOST_REASONS).join('\n')}`);
  console.log(`\n${lines.join('\n')}`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exit(total.failed > 0 ? 1 : 0);
}
