/**
 * The Rust half of set-up: the pinned toolchain with its wasm target, and the wasm
 * modules with their bindings in `web/core/generated/`, made anew only when its sources change.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  SetupError,
  aptInstall,
  ask,
  cache,
  hashOf,
  once,
  root,
  run,
  say,
  wasmCore,
} from './shell.mjs';

const generated = join(root, 'web', 'core', 'generated');

/** Installs what `rust-toolchain.toml` names; does nothing when it is all there. */
export function setUpRust() {
  if (ask('cc', ['--version']) === undefined && !aptInstall(['gcc', 'libc6-dev'])) {
    throw new SetupError(
      'Rust needs a C compiler as its linker. Install gcc or clang, then run this again.',
    );
  }
  if (ask('rustup', ['--version']) === undefined && !aptInstall(['rustup'])) {
    throw new SetupError(
      'Rust is missing. Install rustup as https://rustup.rs says (no toolchain is needed), then run this again.',
    );
  }
  const wanted = readToolchain();
  const installed =
    ask('rustup', ['component', 'list', '--installed', '--toolchain', wanted.channel]) ?? '';
  const missing = [
    ...wanted.components.filter((name) => !installed.includes(`${name}-`)),
    ...wanted.targets.filter((name) => !installed.includes(`rust-std-${name}`)),
  ];
  if (installed !== '' && missing.length === 0) return;
  say(`installing Rust ${wanted.channel} (${missing.join(', ')})`);
  run('rustup', [
    ...['toolchain', 'install', wanted.channel, '--no-self-update', '--profile', 'minimal'],
    ...wanted.components.flatMap((name) => ['--component', name]),
    ...wanted.targets.flatMap((name) => ['--target', name]),
  ]);
}

/** Changes whenever a file of which the modules are made does. */
export function wasmKey() {
  return hashOf(JSON.parse(readFileSync(join(root, '.ci', 'wasm-sources.json'), 'utf8')));
}

/**
 * Compiles the core for the browser, writes its bindings, and lets wasm-opt shrink it. The reader is
 * cut in two: what a recording needs until it is on the stage, and the rest (`web/core/rest.ts`).
 */
export function buildWasm() {
  const files = ['reader_bg.wasm', 'reader_rest.wasm', 'simulator_bg.wasm'].map(inGenerated);
  once('wasm', wasmKey(), files.every(existsSync), () => {
    say('building the core for the browser (the first time takes a minute or two)');
    xtask('wasm', generated);
    const named = join(cache, 'reader-named.wasm');
    optimise(inGenerated('reader_bg.wasm'), named, '-g', '-ocimfs', '100', '-O1', '--inlining');
    optimise(inGenerated('simulator_bg.wasm'), inGenerated('simulator_bg.wasm'));
    const first = join(wasmCore, 'first-functions.txt');
    xtask('split', named, first, inGenerated('reader_bg.wasm'), inGenerated('reader_rest.wasm'));
    tellOfRest();
  });
}

/** Runs a command of `wasm-core/xtask`. */
export function xtask(...args) {
  const options = ['run', '--quiet', '--package', 'xtask', '--profile', 'xtask', '--'];
  run('cargo', [...options, ...args], { cwd: wasmCore });
}

const inGenerated = (name) => join(generated, name);

/**
 * wasm-opt's own -O3 optimises a function again after each function that it inlines there, which is most of its time.
 * Without that the modules are as fast, and the simulator's, where the compiler has inlined enough, is a little smaller
 * compressed. The reader's is so only if what is small is inlined once between two passes. What has one caller and more
 * than a hundred instructions stays a function there, so that what no first recording needs goes with the rest.
 */
function optimise(from, to, ...options) {
  const wasmOpt = join(root, 'node_modules', 'binaryen', 'bin', 'wasm-opt');
  const passes = [...options, '-O3', '--skip-pass=inlining-optimizing'];
  run(process.execPath, [wasmOpt, from, ...passes, '-o', to]);
}

/**
 * The bindings know one module: they are told of the other where the first is made, and hand on by
 * which ways it comes, so that there is one of them wherever they are loaded.
 */
function tellOfRest() {
  const handedOn = `export { fetchRest, readRest } from '../rest.ts';\n`;
  const changes = [
    [/^/, `import { firstIsMade, standIns } from '../rest.ts';\n${handedOn}`],
    [/("\.\/reader_bg\.js": import0,)/, '$1\n        rest: standIns,'],
    [
      /(wasm = instance\.exports;)/,
      '$1\n    firstIsMade({ exports: wasm, imports: __wbg_get_imports() });',
    ],
  ];
  let text = readFileSync(inGenerated('reader.js'), 'utf8');
  for (const [where, what] of changes) {
    if (!where.test(text)) throw new SetupError(`the bindings have no ${where}`);
    text = text.replace(where, what);
  }
  writeFileSync(inGenerated('reader.js'), text);
  appendFileSync(inGenerated('reader.d.ts'), handedOn);
}

function readToolchain() {
  const text = readFileSync(join(wasmCore, 'rust-toolchain.toml'), 'utf8');
  const value = (key) => new RegExp(`^${key} = (.*)$`, 'm').exec(text)?.[1] ?? '[]';
  return {
    channel: JSON.parse(value('channel')),
    components: JSON.parse(value('components')),
    targets: JSON.parse(value('targets')),
  };
}
