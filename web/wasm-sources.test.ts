/**
 * The browser's core is built anew when a hash of its sources changes. Whatever the Rust code
 * embeds is a source too: were it left out of the hash, the page would keep the old data.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

test('the hash of the core covers every file that it embeds', () => {
  const sources = JSON.parse(
    readFileSync(join(root, '.ci/wasm-sources.json'), 'utf8'),
  ) as readonly string[];
  const embedded = ['boundary/reader', 'boundary/simulator', 'core', 'sim', 'validation']
    .map((crate) => join(root, 'wasm-core', crate, 'src'))
    .flatMap((src) =>
      readdirSync(src, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.rs') && !/(^|\/)tests(\/|\.rs$)/.test(name))
        .map((name) => join(src, name)),
    )
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      // Data files are embedded natively alone: the page fetches them.
      const ofWasm = text.replaceAll(
        /#\[cfg\(not\(target_family = "wasm"\)\)\]\nmacro_rules! [\s\S]*?\n\}\n/g,
        '',
      );
      // What is native only is not in the browser's core.
      if (text.includes('#![cfg(not(target_family = "wasm"))]')) return [];
      // A path may be put together with `concat!`: its first literal is the folder.
      const includes = ofWasm.matchAll(/include_(?:str|bytes)!\(\s*(?:concat!\()?\s*"([^"]+)"/g);
      return [...includes].map(([, path = '']) => relative(root, join(dirname(file), path)));
    });
  const isCovered = (path: string) =>
    sources.some((source) => path === source || path.startsWith(`${source}/`));
  expect(embedded.filter((path) => !isCovered(path))).toEqual([]);
});
