/**
 * The licences of what the built page holds: a plugin for vite that writes those of the crates
 * that the core is made of into `licences/core.txt`, beside those of the packages, which vite
 * itself writes into `licences/page.txt`. Those of Rust's standard library and of the crates in it come with the
 * toolchain, as `licences/library.html`.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SetupError, ask, wasmCore } from './shell.mjs';

/** Where vite writes the licences of the bundled packages, from the built page's folder. */
export const PAGE_LICENCES = 'licences/page.txt';

export function licences() {
  return {
    name: 'ringside-licences',
    apply: 'build',
    generateBundle() {
      const emit = (name, source) =>
        this.emitFile({ type: 'asset', fileName: `licences/${name}`, source });
      emit('core.txt', coreLicences());
      emit('library.html', libraryLicences());
    },
  };
}

/** The crates behind the core, by name: version, terms, and the texts that come with each. */
function coreLicences() {
  const crates = cratesOfCore().map(({ name, version, license, manifest_path: manifest }) => {
    const texts = textsIn(dirname(manifest));
    return [`## ${name} - ${version} (${license})`, ...texts].join('\n\n');
  });
  const head = `The core is compiled from these crates, each under the terms named beside it,
and from Rust's standard library, of which library.html beside this file has the terms.`;
  return `# Licences of the core\n\n${head}\n\n${crates.join('\n\n')}\n`;
}

/** What the toolchain tells of its library: core, alloc and std, and the crates that these are built with. */
function libraryLicences() {
  const sysroot = ask('rustc', ['--print', 'sysroot'], { cwd: wasmCore })?.trim();
  const path = join(sysroot ?? '', 'share', 'doc', 'rust', 'COPYRIGHT-library.html');
  if (sysroot === undefined || !existsSync(path))
    throw new SetupError(`the licences of Rust's standard library are not in ${path}`);
  return readFileSync(path, 'utf8');
}

/** What is compiled into the module: not what only builds it, nor macros, nor tests. */
function cratesOfCore() {
  const said = ask(
    'cargo',
    ['metadata', '--locked', '--format-version=1', '--filter-platform=wasm32-unknown-unknown'],
    { cwd: wasmCore, maxBuffer: 1 << 26, timeout: 120_000 },
  );
  if (said === undefined) throw new SetupError('cargo could not tell of which crates the core is');
  const { packages, resolve } = JSON.parse(said);
  const packageOf = new Map(packages.map((one) => [one.id, one]));
  const nodeOf = new Map(resolve.nodes.map((node) => [node.id, node]));
  const isMacro = (id) => packageOf.get(id).targets.some(({ kind }) => kind.includes('proc-macro'));
  const modules = packages.filter(({ name }) => name === 'reader' || name === 'simulator');
  const found = new Set(modules.map(({ id }) => id));
  for (const id of found) {
    for (const { pkg, dep_kinds: kinds } of nodeOf.get(id).deps) {
      if (kinds.some(({ kind }) => kind === null) && !isMacro(pkg)) found.add(pkg);
    }
  }
  return [...found]
    .map((id) => packageOf.get(id))
    .filter(({ source }) => source !== null) // Our own are under the project's licence.
    .sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

function textsIn(folder) {
  return readdirSync(folder)
    .filter((name) => /^(?:licen[cs]e|copying|unlicense)/i.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim());
}
