/**
 * libFuzzer around the core: how it is built, one target's turn, and the corpus made small.
 */
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError, aptInstall, ask, cache, listen, run, say, wasmCore } from '../shell.mjs';
import { coveredLines } from './lines.mjs';

/** Inputs of this machine: all that was ever new, and the findings. */
const own = join(cache, 'fuzz');
/** Words that the formats are made of, for libFuzzer to put into inputs. */
const dictionary = join(own, 'words.dict');
const corpus = join(wasmCore, 'fuzz', 'corpus');

// What libFuzzer counts, put in by LLVM; stable flags, so that the pinned toolchain will do.
const COVERAGE = [
  ...['--cfg', 'fuzzing', '-Cpasses=sancov-module'],
  ...['level=4', 'inline-8bit-counters', 'pc-table', 'trace-compares'].map(
    (option) => `-Cllvm-args=-sanitizer-coverage-${option}`,
  ),
].join(' ');

/** Nothing of a few kilobytes takes so long, in seconds, or needs so many megabytes. */
const SECONDS = 20;
/** Slow is what takes as long as that: the engine's own ten seconds are soon over on a busy machine. */
const LIMITS = [`-timeout=${SECONDS}`, `-report_slow_units=${SECONDS}`, '-rss_limit_mb=4096'];
const LONGEST = 2000;

/** As few inputs as take all branches; how often one is taken does not count. */
const MINIMAL = ['-set_cover_merge=1', '-use_counters=0'];
/** Bytes of an input of the corpus: a longer one is cut, as some hundred of them are to be small. */
const LONGEST_KEPT = 200;

/** Builds the core with what counts its branches, and gives the path of the program. */
export function buildEngine() {
  if (ask('c++', ['--version']) === undefined && !aptInstall(['g++'])) {
    throw new SetupError('libFuzzer needs a C++ compiler. Install g++ or clang, then try again.');
  }
  say('building the core for the fuzzer (the first time takes two minutes or three)');
  const build = ['build', '--profile', 'fuzz', '--target', host(), '--package', 'fuzz'];
  const engine = ['--bin', 'engine', '--features', 'engine', '--message-format', 'json'];
  const said = ask('cargo', [...build, ...engine], {
    cwd: wasmCore,
    env: { ...process.env, RUSTFLAGS: COVERAGE },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: undefined,
    maxBuffer: 1 << 26,
  });
  const path = /"executable":"([^"]+)"/.exec(said ?? '')?.[1];
  if (path === undefined) throw new SetupError('the fuzzer could not be built');
  mkdirSync(own, { recursive: true });
  writeFileSync(dictionary, replay('--words'));
  return path;
}

/** This machine's own target triple. */
function host() {
  return /^host: (.*)$/m.exec(ask('rustc', ['-vV'], { cwd: wasmCore }) ?? '')?.[1] ?? '';
}

/** The lines that all inputs of some targets run, by part of the core. */
export function linesOf(names) {
  const inputs = names.map((name) => ({ name, folders: [join(own, name), join(corpus, name)] }));
  return coveredLines(host(), inputs);
}

/** The targets, each with the first one that has the same function. */
export function allTargets() {
  const lines = replay().trim().split('\n');
  return lines.map((line) => line.split(' ')).map(([name, first]) => ({ name, first }));
}

function replay(...args) {
  const command = ['run', '--quiet', '--package', 'fuzz', '--bin', 'replay', '--', ...args];
  const said = ask('cargo', command, { cwd: wasmCore, timeout: undefined });
  if (said === undefined) throw new SetupError('the targets could not be built');
  return said;
}

/**
 * Fuzzes a target for so many seconds or until it finds something. libFuzzer's time limit goes by the
 * clock, which goes on while a busy machine does something else: an input that took too long is tried
 * once more, and only one that does so again is a finding.
 */
export async function turn(engine, name, seconds) {
  const inputs = join(own, name);
  const findings = join(own, 'findings');
  for (const folder of [inputs, findings]) mkdirSync(folder, { recursive: true });
  const options = [
    ...[...LIMITS, `-max_len=${LONGEST}`, `-dict=${dictionary}`],
    ...[`-artifact_prefix=${findings}/${name}-`, '-print_final_stats=1'],
    ...[inputs, join(corpus, name)],
  ];
  const began = Date.now();
  const elapsed = () => Math.round((Date.now() - began) / 1000);
  const rounds = [];
  while (rounds.length === 0 || elapsed() < seconds) {
    const args = [`-max_total_time=${Math.max(1, seconds - elapsed())}`, ...options];
    const command = ['-c', '"$@"; ended=$?; times; exit $ended', 'sh', engine, ...args];
    const { status, output } = await listen('sh', command, { env: environment(name) });
    const round = readTurn(name, output, status);
    const [finding] = round.findings;
    if (finding === undefined || !finding.file.includes(`${name}-timeout-`)) {
      rounds.push(round);
      break;
    }
    const again = await listen(engine, [...LIMITS, finding.file], { env: environment(name) });
    rounds.push(again.status === 0 ? { ...round, findings: [] } : round);
    if (again.status !== 0) break;
    rmSync(finding.file);
  }
  const sum = (what) => rounds.reduce((total, round) => total + round[what], 0);
  const all = { executions: sum('executions'), cpuSeconds: Math.round(sum('cpuSeconds')) };
  const kept = readdirSync(inputs).length;
  const { before } = rounds[0];
  return { name, elapsed: elapsed(), ...rounds.at(-1), before, ...all, kept };
}

function environment(name) {
  return { ...process.env, FUZZ_TARGET: name };
}

/** What libFuzzer says of a turn, and what the shell says that it took of the CPU. */
function readTurn(name, output, status) {
  const number = (pattern) => Number([...output.matchAll(pattern)].at(-1)?.[1] ?? 0);
  const file = /Test unit written to (.*)/.exec(output)?.[1];
  const why = /panicked at (.*\n.*)/.exec(output)?.[1] ?? /ERROR: (.*)/.exec(output)?.[1];
  if (status !== 0 && file === undefined) {
    throw new SetupError(`the fuzzer ended with status ${status}:\n${output.slice(-2000)}`);
  }
  // The shell's own times come first, then those of what it ran: user and system.
  const times = [...output.matchAll(/^(\d+)m([\d.]+)s (\d+)m([\d.]+)s$/gm)].at(-1) ?? [];
  const [userMinutes = 0, user = 0, systemMinutes = 0, system = 0] = times.slice(1).map(Number);
  return {
    cpuSeconds: 60 * (userMinutes + systemMinutes) + user + system,
    executions: number(/number_of_executed_units: (\d+)/g),
    before: number(/INITED cov: (\d+)/g),
    edges: number(/cov: (\d+)/g),
    findings: file === undefined ? [] : [{ name, file, why: why?.replaceAll('\n', ' ') }],
  };
}

/**
 * Makes the corpus anew, from it and from what this machine found: few and short inputs that take
 * nearly every branch. Of targets with one function each adds what those before it do not have.
 */
export function minimise(engine, targets) {
  const covered = join(own, 'covered');
  for (const [at, { name, first }] of targets.entries()) {
    if (targets[at - 1]?.first !== first) rmSync(covered, { recursive: true, force: true });
    const [kept, inputs] = [join(corpus, name), join(own, name)];
    for (const folder of [kept, inputs, covered]) mkdirSync(folder, { recursive: true });
    const before = new Set(readdirSync(covered));
    run(engine, [...MINIMAL, ...LIMITS, `-max_len=${LONGEST_KEPT}`, covered, kept, inputs], {
      env: environment(name),
      stdio: 'ignore',
    });
    rmSync(kept, { recursive: true });
    mkdirSync(kept);
    const added = readdirSync(covered).filter((file) => !before.has(file));
    for (const file of added) copyFileSync(join(covered, file), join(kept, file));
    say(`${name}: ${added.length} inputs`);
  }
}
