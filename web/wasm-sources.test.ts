/**
 * The browser's core is built anew when a hash of its sources changes, and Rust's checks are run again when what they
 * read does. Whatever the Rust code embeds is a source too: were it left out of the hash, the page would keep the
 * old data, and a check what it found in it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Lists of files and folders that scripts go by. */
const listed = (name: string) =>
  JSON.parse(readFileSync(join(root, '.ci', name), 'utf8')) as readonly string[];

const isCovered = (sources: readonly string[], path: string) =>
  sources.some((source) => path === source || path.startsWith(`${source}/`));

/** What Rust builds is not looked at: it comes and goes while a build runs beside. */
const rustFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'target' ? [] : rustFiles(path);
    return path.endsWith('.rs') ? [path] : [];
  });

/** What a source embeds. A path may be put together with `concat!`: its first literal is the folder. */
const embeddedIn = (file: string, text: string) =>
  [...text.matchAll(/include_(?:str|bytes)!\(\s*(?:concat!\()?\s*"([^"]+)"/g)].map(
    ([, path = '']) => relative(root, join(dirname(file), path)),
  );

test('what Rust’s checks are run again for covers every file that Rust embeds', () => {
  const reads = listed('rust-reads.json');
  const embedded = rustFiles(join(root, 'wasm-core')).flatMap((file) =>
    embeddedIn(file, readFileSync(file, 'utf8')),
  );
  expect(embedded).toContain('web/words/messages/en.json');
  expect(embedded.filter((path) => !isCovered(reads, path))).toEqual([]);
});

test('the hash of the core covers every file that it embeds', () => {
  const sources = listed('wasm-sources.json');
  const embedded = ['boundary/reader', 'boundary/simulator', 'core', 'sim', 'validation']
    .flatMap((crate) => rustFiles(join(root, 'wasm-core', crate, 'src')))
    .filter((file) => !/\/tests(?:\/|\.rs$)/.test(file))
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      // What is native only is not in the browser's core.
      if (text.includes('#![cfg(not(target_family = "wasm"))]')) return [];
      // Data files are embedded natively alone: the page fetches them.
      const ofWasm = text.replaceAll(
        /#\[cfg\(not\(target_family = "wasm"\)\)\]\nmacro_rules! [\s\S]*?\n\}\n/g,
        '',
      );
      return embeddedIn(file, ofWasm);
    });
  expect(embedded.filter((path) => !isCovered(sources, path))).toEqual([]);
});
