/**
 * The wasm build simulates every shipped scenario to the byte as the native build does: both
 * give the fingerprints of `wasm-core/tests/fingerprints.txt`, which say how to pin them anew.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { engineOnDisk, runOf, scenarioOnDisk } from './on-disk.ts';

const core = new URL('../../wasm-core/', import.meta.url);
const pinned = readFileSync(new URL('tests/fingerprints.txt', core), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(' '));

it.each(pinned)('%s is the same run in wasm as natively', async (name, fingerprint, events) => {
  const outcome = await engineOnDisk().simulate(scenarioOnDisk(name), () => undefined);
  expect(runOf(outcome)).toMatchObject({ fingerprint, events: Number(events) });
});
