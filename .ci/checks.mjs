/**
 * Every check `npm test` runs, in the order in which they are begun, as data: its name, its command,
 * how its tests are counted and why one failed, what it rests on, what only one may hold at a time,
 * whether it mostly waits, the command that repairs what it finds, and what it reads: what passed is
 * not run again while that has not changed (`passed.mjs`).
 */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { cache, root, wasmCore } from './shell.mjs';

/** Of why a test failed; all of it is further up in a log. */
const MOST_LINES = 12;

const vitestReport = join(cache, 'vitest.json');
const playwrightReport = join(cache, 'playwright.json');
const local = (tool, ...args) => [join(root, 'node_modules', '.bin', tool), ...args];

/** What Rust's checks read, held by `web/wasm-sources.test.ts`. */
const readByRust = JSON.parse(readFileSync(join(root, '.ci', 'rust-reads.json'), 'utf8'));

/** What no page shows and no browser test reads. */
const unseenByBrowser = /^[A-Z]+\.md$|\.test\.ts$|^wasm-core\/(?:fuzz|host|src|sweep|whole)\//;

/** The parts of set-up that checks rest on. They count as nothing, unless they fail. */
export const preparations = ['words', 'wasm', 'browser'].map((name) => ({
  name,
  command: [process.execPath, join(root, '.ci', 'setup.mjs'), name],
  count: () => ({ passed: 0, failed: 0 }),
}));

/** After the quickest those that take longest: at the end there are short ones for every core. */
export const checks = [
  {
    name: 'rustfmt',
    command: ['cargo', 'fmt', '--all', '--check'],
    cwd: wasmCore,
    reads: readByRust,
    repair: 'npm run fmt',
  },
  {
    name: 'cargo test',
    // No example in a comment is a test (`web/tidy.test.ts`): rustdoc would look through each crate for some.
    command: [
      ...['cargo', 'test', '--workspace', '--exclude', 'xtask'],
      '--tests',
      '--no-fail-fast',
    ],
    cwd: wasmCore,
    reads: readByRust,
    holds: 'target',
    count: countCargo,
    why: whyCargo,
  },
  {
    // With the profile that the wasm was built with, so that the binding generator is compiled once.
    name: 'xtask',
    command: ['cargo', 'test', '--package', 'xtask', '--profile', 'xtask'],
    cwd: wasmCore,
    reads: readByRust,
    holds: 'target',
    count: countCargo,
    why: whyCargo,
    after: ['wasm'],
  },
  {
    // Without root or tracefs it tests what is left: usage, refusals, the words of its help.
    name: 'ringside-capture',
    command: ['sh', 'traces/capture/test.sh'],
    // What it finds depends on who runs it and on the kernel. It mostly waits.
    readsMachine: true,
    isIdle: true,
    count: countTap,
  },
  { name: 'build', command: local('vite', 'build', '--logLevel=warn'), after: ['words', 'wasm'] },
  {
    name: 'playwright',
    command: local('playwright', 'test'),
    // Playwright hands its server a FORCE_COLOR of its own, and Node warns where both are set.
    env: { NO_COLOR: undefined, FORCE_COLOR: '0' },
    report: playwrightReport,
    ignores: unseenByBrowser,
    notes: [join(cache, 'browser.json')],
    count: countPlaywright,
    why: whyPlaywright,
    after: ['words', 'wasm', 'browser', 'build'],
  },
  {
    name: 'clippy',
    command: ['cargo', 'clippy', '--workspace', '--all-targets', '--', '-D', 'warnings'],
    cwd: wasmCore,
    reads: readByRust,
    holds: 'target',
  },
  {
    // The boundary exists only when the target is wasm, so the host's clippy never sees it.
    name: 'clippy for wasm',
    command: [
      ...['cargo', 'clippy', '--package', 'reader', '--package', 'simulator', '--lib'],
      ...['--target', 'wasm32-unknown-unknown', '--', '-D', 'warnings'],
    ],
    cwd: wasmCore,
    reads: readByRust,
    holds: 'target',
  },
  {
    name: 'vitest',
    command: local(
      'vitest',
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile=${vitestReport}`,
    ),
    report: vitestReport,
    count: countVitest,
    why: whyVitest,
    after: ['words', 'wasm'],
  },
  { name: 'eslint', command: local('eslint', '--max-warnings=0', '.'), after: ['words', 'wasm'] },
  {
    name: 'svelte-check',
    command: local('svelte-check', '--fail-on-warnings', '--output', 'human'),
    after: ['words', 'wasm'],
  },
  {
    name: 'prettier',
    command: local('prettier', '--check', '--cache', '--cache-location=.cache/prettier', '.'),
    repair: 'npm run fmt',
  },
  {
    // Dependencies, files and exports that nothing uses.
    name: 'knip',
    command: local('knip', '--no-progress'),
    // It loads the configuration of Playwright, which reads where the browser is.
    after: ['words', 'wasm', 'browser'],
  },
];

/** Counts what one finished check found; a runner that fails without a failed test is one failure. */
export function countOf(check, { status, output }) {
  const counted = check.count?.(output, check.report) ?? {
    passed: status === 0 ? 1 : 0,
    failed: 0,
  };
  if (status !== 0 && counted.failed === 0) counted.failed = 1;
  return counted;
}

/** A report of an earlier run must not be taken for this one's. */
export function forgetReport(check) {
  if (check.report) rmSync(check.report, { force: true });
}

function countCargo(output) {
  const counted = { passed: 0, failed: 0 };
  for (const [, passed, failed] of output.matchAll(
    /^test result: .*?(\d+) passed; (\d+) failed;/gm,
  )) {
    counted.passed += Number(passed);
    counted.failed += Number(failed);
  }
  return counted;
}

function countTap(output) {
  const lines = output.split('\n').filter((line) => !line.includes('# SKIP'));
  return {
    passed: lines.filter((line) => line.startsWith('ok ')).length,
    failed: lines.filter((line) => line.startsWith('not ok ')).length,
  };
}

function countVitest(_output, report) {
  const found = readReport(report);
  return { passed: found?.numPassedTests ?? 0, failed: found?.numFailedTests ?? 0 };
}

function countPlaywright(_output, report) {
  const found = readReport(report)?.stats;
  return { passed: found?.expected ?? 0, failed: (found?.unexpected ?? 0) + (found?.flaky ?? 0) };
}

/** Of each test that failed what it is called and how, as far as that is told: what a log is opened for. */
export function whyOf(check, output) {
  const told = check.why?.(output, check.report) ?? [];
  return told.map((why) => why.split('\n').slice(0, MOST_LINES).join('\n'));
}

function whyCargo(output) {
  const panics = output.matchAll(/^thread '.*' (?:\(\d+\) )?panicked at .*(?:\n(?!note: ).+)*/gm);
  return [...panics].map(([why]) => why);
}

function whyVitest(_output, report) {
  const tests = readReport(report)?.testResults.flatMap((file) => file.assertionResults) ?? [];
  const failed = tests.filter(({ status }) => status === 'failed');
  return failed.map(({ fullName, failureMessages }) => `${fullName}\n${plain(failureMessages[0])}`);
}

function whyPlaywright(_output, report) {
  const specsIn = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsIn)];
  const failed = specsIn(readReport(report) ?? {}).filter(({ ok }) => !ok);
  return failed.map(({ title, tests }) => {
    const errors = tests.flatMap(({ results }) => results).flatMap((result) => result.errors);
    return `${title}\n${plain(errors[0]?.message)}`;
  });
}

/** Without the colours of a terminal. */
function plain(text = '') {
  return stripVTControlCharacters(text);
}

function readReport(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}
