/** What a link says of the view, put onto the page. */
import { expect, test, vi } from 'vitest';
import { FAKE_TOLD, fakeHandle } from '../core/fake-core.ts';
import { applyView, wholeView } from './snapshot.ts';
import { pageWith } from './testing.ts';
import { parseViewState, serialiseViewState } from './view-state.ts';

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

/** Told films of a typical packet, which stands still nowhere, and of packet 7, which does at its beginning. */
const films = (focus?: number) =>
  Promise.resolve(
    focus === undefined
      ? {
          ...FAKE_TOLD,
          pieces: {
            film: Float64Array.of(0, 10),
            time: Float64Array.of(0, 10_000),
            kind: Uint8Array.of(0),
          },
        }
      : FAKE_TOLD,
  );

test('a moment within a dwell is one of the film that the link is about', async () => {
  const { ringside } = await pageWith(() => ({ ...fakeHandle(), told: films }));
  const { playhead, selection } = ringside;
  const link = 'v=1&own=0011223344556677&at=stage&t=1000&dwelt=300&packet=7&follow=1';
  applyView(ringside, parseViewState(link).view);
  await vi.waitFor(() => expect(playhead.focus).toBe(7));
  await Promise.resolve();
  expect([playhead.time, playhead.film]).toEqual([1000, 1.3]);
  expect(serialiseViewState(wholeView(ringside))).toContain('t=1000&dwelt=300');
  // Whoever lets go of the packet still sees its film, and so does whom the link is sent to, at the same pace.
  selection.setFollowing(false);
  playhead.setPace(0.5);
  const sent = serialiseViewState(wholeView(ringside));
  expect(sent).toMatch(/times=0\.5.*&packet=7&told=7/);
  const other = await pageWith(() => ({ ...fakeHandle(), told: films }));
  applyView(other.ringside, parseViewState(sent).view);
  await vi.waitFor(() => expect(other.ringside.playhead.focus).toBe(7));
  await Promise.resolve();
  const { film, pace } = other.ringside.playhead;
  expect([film, pace, other.ringside.selection.isFollowing]).toEqual([1.3, 0.5, false]);
});

test('filters that the run has nothing of are dropped, each with a sentence', async () => {
  const { ringside } = await pageWith(() => fakeHandle({ sockets: [{ id: 4, label: 'port 4' }] }));
  const link = (fields: string) =>
    parseViewState(`v=1&own=0011223344556677&at=stage&${fields}`).view;
  const notices = applyView(ringside, link('flow=5&socket=3&cpu=9&reason=0&verdict=open'));
  expect(notices).toHaveLength(4);
  expect(ringside.selection.filters).toEqual({
    ...{ sort: 'start', isDescending: false, verdict: 'open' },
  });
  expect(applyView(ringside, link('flow=0&socket=4&cpu=1'))).toEqual([]);
  expect(ringside.selection.filters).toMatchObject({ flow: 0, socket: 4, cpu: 1 });
});
