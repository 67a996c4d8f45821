/**
 * How many lines of the core all inputs together have run: LLVM counts them in a program of its
 * own, since libFuzzer counts branches.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { SetupError, ask, run, say, wasmCore } from '../shell.mjs';

const crates = ['core', 'sim'].map((name) => join(wasmCore, name, 'src'));

/**
 * Lines of each part of the core, those that were run and all, for parts with any that were.
 * @param {string} host the machine's own target triple
 * @param {{ name: string, folders: string[] }[]} inputs the folders of each target's inputs
 * @returns {{ part: string, covered: number, count: number }[]}
 */
export function coveredLines(host, inputs) {
  const tools = llvmTools(host);
  const build = join(targetFolder(), 'lines');
  const profiles = join(build, 'profiles');
  rmSync(profiles, { recursive: true, force: true });
  mkdirSync(profiles, { recursive: true });
  say('counting the lines that all inputs run (the first time it is built for that)');
  const options = ['--quiet', '--profile', 'fuzz', '--target', host, '--package', 'fuzz'];
  run('cargo', ['build', ...options, '--bin', 'replay', '--target-dir', build], {
    cwd: wasmCore,
    env: { ...process.env, RUSTFLAGS: '-Cinstrument-coverage' },
  });
  const replay = join(build, host, 'fuzz', 'replay');
  for (const { name, folders } of inputs) {
    run(replay, [name, ...folders.filter(existsSync)], {
      env: { ...process.env, LLVM_PROFILE_FILE: join(profiles, `${name}.profraw`) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  const merged = join(build, 'all.profdata');
  const files = readdirSync(profiles).map((file) => join(profiles, file));
  run(join(tools, 'llvm-profdata'), ['merge', '--sparse', ...files, '-o', merged]);
  const report = ask(
    join(tools, 'llvm-cov'),
    ['export', '--summary-only', `--instr-profile=${merged}`, replay],
    { timeout: undefined, maxBuffer: 1 << 26 },
  );
  if (report === undefined) throw new SetupError('llvm-cov could not read what was counted');
  return byPart(JSON.parse(report).data[0].files);
}

/** Sums files by the folder of the core that they are in. */
function byPart(files) {
  const parts = new Map();
  for (const { filename, summary } of files) {
    const crate = crates.find((folder) => filename.startsWith(folder + sep));
    if (crate === undefined) continue;
    const path = relative(crate, filename);
    const part = path.includes(sep) ? path.split(sep)[0] : '(alone)';
    const sum = parts.get(part) ?? { part, covered: 0, count: 0 };
    sum.covered += summary.lines.covered;
    sum.count += summary.lines.count;
    parts.set(part, sum);
  }
  return [...parts.values()]
    .filter(({ covered }) => covered > 0)
    .sort((one, other) => one.part.localeCompare(other.part));
}

/** LLVM's own readers of what rustc's LLVM wrote; rustup has them as a component. */
function llvmTools(host) {
  const sysroot = ask('rustc', ['--print', 'sysroot'], { cwd: wasmCore })?.trim() ?? '';
  const tools = join(sysroot, 'lib', 'rustlib', host, 'bin');
  if (!existsSync(join(tools, 'llvm-cov'))) {
    run('rustup', ['component', 'add', 'llvm-tools'], { cwd: wasmCore });
  }
  return tools;
}

function targetFolder() {
  const metadata = ask('cargo', ['metadata', '--format-version', '1', '--no-deps'], {
    cwd: wasmCore,
    maxBuffer: 1 << 26,
  });
  if (metadata === undefined) throw new SetupError('cargo does not say where it builds');
  return JSON.parse(metadata).target_directory;
}
