/** What the fuzzer kept is in wasm the run that it is natively, or refused as it is natively. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { engineOnDisk } from './on-disk.ts';

const fuzz = new URL('../../wasm-core/fuzz/', import.meta.url);

test('every file of the corpus is the same run in wasm as natively', async () => {
  const golden = String(readFileSync(new URL('corpus.golden', fuzz)));
  const engine = engineOnDisk();
  const lines = [];
  for (const line of golden.split('\n').slice(0, -1)) {
    const name = line.slice(0, line.indexOf(':'));
    const data = new Blob([new Uint8Array(readFileSync(new URL(`corpus/${name}`, fuzz)))]);
    const opened = await engine.open([{ name, data }], () => undefined);
    if (opened.kind !== 'ok') lines.push(`${name}: refused`);
    else {
      const { events, ledger, fingerprint } = opened.value;
      lines.push(`${name}: ${events} events, ${ledger.total} lines, fingerprint ${fingerprint}`);
    }
  }
  expect(lines.join('\n')).toBe(golden.trimEnd());
});
