/** What a link says of the view, put onto the page. */
import { expect, test, vi } from 'vitest';
import { FAKE_TOLD, fakeHandle } from '../core/fake-core.ts';
import { applyView, wholeView } from './snapshot.ts';
import { pageWith } from './testing.ts';

test('who follows a packet by a link is told of it, and one that follows nobody of a typical one', async () => {
  const told = vi.fn(() => Promise.resolve(FAKE_TOLD));
  const { ringside } = await pageWith(() => ({ ...fakeHandle(), told }));
  const { playhead } = ringside;
  const plain = wholeView(ringside);
  applyView(ringside, { ...plain, packet: 0, isFollowing: true });
  await vi.waitFor(() => {
    expect(playhead.focus).toBe(0);
  });
  // It is told of already.
  const before = told.mock.calls.length;
  applyView(ringside, { ...plain, packet: 0, isFollowing: true, time: 1 });
  expect(told).toHaveBeenCalledTimes(before);
  applyView(ringside, { ...plain, packet: 0, isFollowing: false });
  await vi.waitFor(() => {
    expect(playhead.focus).toBeUndefined();
  });
});
