/** The table of the parameters' influence on the board is read completely. */
import { expect, test } from 'vitest';
import type { Parameter } from '../core/simulation.ts';
import { engineOnDisk } from '../core/on-disk.ts';
import { shifts, still } from './sensitivity.ts';

test('every row is about a guessed or fitted parameter of a file that is there, and of numbers that are', async () => {
  const { machines, kernels, instrumentation, workloads } = await engineOnDisk().catalogue();
  const folders = { machines, kernels, instrumentation, workloads };
  const files = new Map<string, readonly Parameter[]>(
    Object.entries(folders).flatMap(([folder, choices]) =>
      choices.map(({ name, sources }) => [`${folder}/${name}`, sources] as const),
    ),
  );
  const studies = await engineOnDisk().published();
  const items = new Set(
    studies.flatMap(({ entries }) =>
      entries.flatMap((entry) => entry.items.map(({ item }) => `${entry.id} ${item}`)),
    ),
  );
  expect(shifts.length).toBeGreaterThan(200);
  for (const { file, parameter, standing, numbers, moved, of, lost, gained } of shifts) {
    const sources = files.get(file) ?? [];
    const source = sources.find((one) => one.parameter === parameter);
    expect([file, parameter, source?.standing]).toEqual([file, parameter, standing]);
    expect(moved).toBeLessThanOrEqual(numbers);
    expect(lost + gained).toBeLessThanOrEqual(numbers);
    if (moved > 0) expect(items).toContain(of);
  }
});

test('the one that moves most numbers stands first, those that move none last', () => {
  const moved = shifts.map((shift) => shift.moved);
  expect(moved).toEqual([...moved].sort((a, b) => b - a));
  expect(moved.filter((count) => count === 0)).toHaveLength(still);
});
