/** What a component waits for may fail: then it says so, and nothing of the page is gone without a word. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, type AST } from 'svelte/compiler';
import { expect, test } from 'vitest';

const WEB = join(import.meta.dirname, '..');

/** The lines on which a component waits without a word for what fails. */
function silentAwaits(source: string): readonly number[] {
  const lines: number[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(walk);
    else if (typeof node === 'object' && node !== null) {
      if (isAwait(node) && node.catch === null)
        lines.push(source.slice(0, node.start).split('\n').length);
      Object.values(node).forEach(walk);
    }
  };
  walk(parse(source, { modern: true }).fragment);
  return lines;
}

function isAwait(node: object): node is AST.AwaitBlock {
  return 'type' in node && node.type === 'AwaitBlock';
}

test('each component that waits has words for what fails', () => {
  expect(silentAwaits('{#await a then b}{b}{/await}\n{#await a}{:catch c}{c}{/await}')).toEqual([
    1,
  ]);
  const components = readdirSync(WEB, { recursive: true, encoding: 'utf8' });
  const silent = components
    .filter((name) => name.endsWith('.svelte'))
    .flatMap((name) =>
      silentAwaits(readFileSync(join(WEB, name), 'utf8')).map((line) => `${name}:${line}`),
    );
  expect(silent).toEqual([]);
});
