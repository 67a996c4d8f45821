/**
 * `npm test`: set-up, then every check; goes on after a failure, and ends with one line that
 * sums all runners. `npm test -- vitest eslint` runs only the checks whose names begin so.
 */
import { checks, countOf, forgetReport } from './checks.mjs';
import { setUp } from './setup.mjs';
import { SetupError, say, watch } from './shell.mjs';

const wanted = process.argv.slice(2);
const chosen = checks.filter(
  ({ name }) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)),
);
const total = { passed: 0, failed: 0 };
const broken = new Set();
const lines = [];

await prepare();
for (const check of chosen) {
  const missing = (check.after ?? []).filter((name) => broken.has(name));
  if (missing.length > 0) fail(check.name, `not run, because of: ${missing.join(', ')}`);
  else await runCheck(check);
}
report();

/** Set-up runs in parts: where the wasm build fails, the Rust tests still tell why. */
async function prepare() {
  const needs = new Set(chosen.flatMap((check) => check.after ?? []));
  try {
    await setUp(['npm', 'rust']);
  } catch (error) {
    explain('set-up', error);
    return report();
  }
  for (const part of ['words', 'wasm', 'browser'].filter((name) => needs.has(name))) {
    try {
      await setUp([part]);
    } catch (error) {
      explain(part, error);
    }
  }
}

async function runCheck(check) {
  const began = Date.now();
  console.log(`\n── ${check.name}`);
  forgetReport(check);
  const [command, ...args] = check.command;
  const env = {
    ...process.env,
    NO_COLOR: '1',
    FORCE_COLOR: undefined,
    CARGO_TERM_COLOR: 'never',
    ...check.env,
  };
  const found = await watch(command, args, { env, ...(check.cwd && { cwd: check.cwd }) });
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

function explain(name, error) {
  if (!(error instanceof SetupError)) throw error;
  fail(name, error.message);
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
