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

/** The modules of the crate that code names: `crate::wire`, or within the braces of `use crate::{run, wire::Frame}`. */
function usedIn(code: string): readonly string[] {
  return [...code.matchAll(/\bcrate::(?:(\w+)|\{)/g)].flatMap((found) =>
    found[1] === undefined ? headsIn(code.slice(found.index + found[0].length)) : [found[1]],
  );
}

/** The first names of the paths up to the brace that closes them. */
function headsIn(code: string): readonly string[] {
  let flat = code;
  // What stands in braces of its own belongs to the path before it.
  const openIn = (text: string) => text.lastIndexOf('{', text.indexOf('}'));
  for (let open = openIn(flat); open !== -1; open = openIn(flat))
    flat = flat.slice(0, open) + flat.slice(flat.indexOf('}') + 1);
  flat = flat.slice(0, flat.indexOf('}'));
  return flat.split(',').flatMap((path) => /\w+/.exec(path)?.[0] ?? []);
}

it('a module is found however it is imported', () => {
  const code = `use crate::{
    kernel::{Cpu, Nanos},
    run::{self, Run, tables::{A, B}},
    wire,
  };
  use crate::journey::Journey;
  fn f() { crate::replay::at(1) }`;
  expect(usedIn(code)).toEqual(['kernel', 'run', 'wire', 'journey', 'replay']);
});

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
      return usedIn(code)
        .filter((used) => order.includes(used) && !above.includes(used))
        .map((used) => `${basename(file)} uses ${used}`);
    });
    expect(breaches, 'move what is shared up, or the module down in lib.rs').toEqual([]);
  });
});
