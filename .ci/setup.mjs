/**
 * Set-up: brings a fresh clone to where everything can be built and tested, and says what it
 * installs. What is done already is skipped. `node .ci/setup.mjs [npm|words|rust|wasm|browser]...`
 * does the named parts and what they rest on; without a name it does all.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setUpBrowser } from './browser.mjs';
import { buildWasm, setUpRust } from './rust.mjs';
import { setUpWords } from './words.mjs';
import { SetupError, entry, hashOf, once, root, run, say } from './shell.mjs';

const steps = {
  npm: setUpNpm,
  words: setUpWords,
  rust: setUpRust,
  wasm: buildWasm,
  browser: setUpBrowser,
};
const needs = { npm: [], words: ['npm'], rust: [], wasm: ['npm', 'rust'], browser: ['npm'] };

export async function setUp(names = Object.keys(steps)) {
  checkNode();
  const wanted = new Set(names.flatMap((name) => [name, ...(needs[name] ?? [])]));
  for (const name of Object.keys(steps)) if (wanted.has(name)) await steps[name]();
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const isNewEnough = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
  if (isNewEnough) return;
  throw new SetupError(
    `Node ${process.versions.node} is too old. Install 22.12 or newer (20.19 also does).`,
  );
}

function setUpNpm() {
  const isPresent = existsSync(join(root, 'node_modules', '.package-lock.json'));
  once('npm', hashOf(['package-lock.json']), isPresent, () => {
    say('installing the npm packages');
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !(name in steps));
  await entry(async () => {
    if (unknown.length > 0) throw new SetupError(`no such part of set-up: ${unknown.join(', ')}`);
    await setUp(names.length > 0 ? names : undefined);
    say('set-up is complete');
  });
}
