/** A link made where film opens shows what is shown there, and not the moment before. */
import { expect, test } from 'vitest';
import { engineOnDisk, inputsOnDisk, recordingsOnDisk, runOf } from '../core/on-disk.ts';
import { beatAt, filmAt, timeAt } from './told.ts';

test.each(recordingsOnDisk())('%s', async (slug) => {
  const engine = engineOnDisk();
  runOf(await engine.open(inputsOnDisk(slug), () => undefined));
  const told = await engine.told(undefined);
  // A link holds whole nanoseconds.
  const time = Math.floor(timeAt(told.pieces, told.opensAt));
  const film = filmAt(told.pieces, time);
  expect(film).toBeCloseTo(told.opensAt, 6);
  expect(beatAt(told.beats, film)).toBe(beatAt(told.beats, told.opensAt));
});
