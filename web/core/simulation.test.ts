/**
 * The wasm build simulates every shipped scenario to the byte as the native build does: both
 * give the fingerprints of `wasm-core/tests/fingerprints.txt`, which say how to pin them anew.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Engine } from './engine.ts';
import init from './generated/ringside.js';

const core = new URL('../../wasm-core/', import.meta.url);
const pinned = readFileSync(new URL('tests/fingerprints.txt', core), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(' '));

const load = init({
  module_or_path: readFileSync(new URL('./generated/ringside_bg.wasm', import.meta.url)),
});

it.each(pinned)('%s is the same run in wasm as natively', async (name, fingerprint, events) => {
  const file = readFileSync(new URL(`data/scenarios/${name}.json`, core), 'utf8');
  const { scenario } = JSON.parse(file) as { scenario: unknown };
  const outcome = await new Engine(() => load).simulate(JSON.stringify(scenario), () => undefined);
  if (outcome.kind !== 'ok') throw new Error(JSON.stringify(outcome));
  expect(outcome.value).toMatchObject({ fingerprint, events: Number(events) });
});
