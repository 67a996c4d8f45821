/**
 * The Rust half of set-up: the pinned toolchain with its wasm target, and the wasm
 * modules with their bindings in `web/core/generated/`, made anew only when its sources change.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError, aptInstall, ask, hashOf, once, root, run, say, wasmCore } from './shell.mjs';

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

/** Compiles the core for the browser, writes its bindings, and lets wasm-opt shrink it. */
export function buildWasm() {
  const modules = ['reader', 'simulator'].map((name) => join(generated, `${name}_bg.wasm`));
  once('wasm', wasmKey(), modules.every(existsSync), () => {
    say('building the core for the browser (the first time takes a minute or two)');
    const xtask = ['run', '--quiet', '--package', 'xtask', '--profile', 'xtask'];
    run('cargo', [...xtask, '--', 'wasm', generated], { cwd: wasmCore });
    const wasmOpt = join(root, 'node_modules', 'binaryen', 'bin', 'wasm-opt');
    for (const module of modules) run(process.execPath, [wasmOpt, module, '-O3', '-o', module]);
  });
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
