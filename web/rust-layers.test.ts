/**
 * The direction of dependencies in the Rust crates: `lib.rs` lists a crate's modules in reading order,
 * and each may use only those above it. Tests may use what they like. That crates know each other in
 * one direction, the core none of the others, is held by cargo.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const crates = [
  { crate: 'core', some: ['kernel', 'run', 'import', 'journey', 'compare'] },
  { crate: 'sim', some: ['time', 'tcp', 'config', 'engine'] },
];

function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => filesOf(join(path, name)));
}

describe.each(crates)('$crate', ({ crate, some }) => {
  const src = join(import.meta.dirname, '../wasm-core', crate, 'src');
  const order = [...readFileSync(join(src, 'lib.rs'), 'utf8').matchAll(/^pub mod (\w+);/gm)].map(
    ([, name]) => name ?? '',
  );

  function filesOfModule(module: string): string[] {
    const isOfModule = (name: string) => name === module || name === `${module}.rs`;
    return readdirSync(src)
      .filter(isOfModule)
      .flatMap((name) => filesOf(join(src, name)))
      .filter((file) => !file.includes('/tests/') && basename(file) !== 'tests.rs');
  }

  it('lists every module', () => {
    expect(order).toEqual(expect.arrayContaining(some));
  });

  it.each(order)('%s uses only modules above it in lib.rs', (module) => {
    const above = order.slice(0, order.indexOf(module) + 1);
    const breaches = filesOfModule(module).flatMap((file) => {
      // A link in a comment is no dependency.
      const code = readFileSync(file, 'utf8').replace(/^\s*\/\/.*$/gm, '');
      return [...code.matchAll(/\bcrate::(\w+)/g)]
        .map(([, used]) => used ?? '')
        .filter((used) => order.includes(used) && !above.includes(used))
        .map((used) => `${basename(file)} uses ${used}`);
    });
    expect(breaches, 'move what is shared up, or the module down in lib.rs').toEqual([]);
  });
});
