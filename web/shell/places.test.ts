/** What a place needs may come later for the link that was followed first than for the one after it. */
import { expect, test, vi } from 'vitest';
import { fakeHandle } from '../core/fake-core.ts';
import { pageWith } from '../session/testing.ts';
import { Places } from './places.svelte.ts';

test('a lesson that is not wanted any more when its views are there does not take the stage', async () => {
  const { ringside, commands } = await pageWith(() => fakeHandle());
  const opens = vi.spyOn(ringside.session, 'loadCatalogue');
  const places = new Places(ringside, () => commands);
  expect(await places.openLesson('two-processors.2', () => false)).toEqual([]);
  expect(await places.beginLesson('two-processors', () => false)).toBe(true);
  expect(opens).not.toHaveBeenCalled();
  await places.openLesson('two-processors.9', () => true);
  expect(opens).toHaveBeenCalledOnce();
});
