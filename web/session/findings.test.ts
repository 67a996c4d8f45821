// Which finding is looked at: in order, round the end, and none of the run before.
import { expect, test } from 'vitest';
import { fakeHandle } from '../core/fake-core.ts';
import type { Finding } from '../core/findings.ts';
import type { RunHandle } from '../core/run.ts';
import { Findings } from './findings.svelte.ts';

const found = (kind: string) => ({ kind }) as Finding;

const handleWith = (kinds: readonly string[]) =>
  fakeHandle({}, { findings: () => Promise.resolve(kinds.map(found)) });

async function settled(
  findings: Findings,
  handle: RunHandle,
  promised: readonly string[] = [],
): Promise<void> {
  findings.load(handle, promised);
  await expect.poll(() => findings.isKnown).toBe(true);
}

test('next and previous go round the list', async () => {
  const findings = new Findings();
  await settled(findings, handleWith(['drops', 'gro', 'stillness']));
  expect(findings.beside(1)).toBe(0);
  expect(findings.beside(-1)).toBe(2);
  expect(findings.choose(2)?.kind).toBe('stillness');
  expect(findings.beside(1)).toBe(0);
  expect(findings.choose(7)).toBeUndefined();
  expect(findings.chosen).toBe(2);
});

test('another run has its own', async () => {
  const findings = new Findings();
  await settled(findings, handleWith(['drops']));
  findings.choose(0);
  await settled(findings, handleWith(['gro', 'drops']));
  expect(findings.all.map(({ kind }) => kind)).toEqual(['gro', 'drops']);
  expect(findings.chosen).toBeUndefined();
});

test('what the card promises comes first, in its order, then the rank', async () => {
  const findings = new Findings();
  const found = ['drops', 'longest-wait', 'gro', 'drops', 'stillness'];
  await settled(findings, handleWith(found), ['gro', 'drops', 'retransmissions']);
  const kinds = findings.all.map(({ kind }) => kind);
  expect(kinds).toEqual(['gro', 'drops', 'longest-wait', 'drops', 'stillness']);
});
