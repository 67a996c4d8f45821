/** The film of a finding: it keeps to the packet that the finding is about, until that packet's end. */
import { expect, test, vi } from 'vitest';
import { fakeHandle } from '../core/fake-core.ts';
import { engineOnDisk, inputsOnDisk, runOf } from '../core/on-disk.ts';
import { tellable } from './findings.svelte.ts';
import { pageWith } from './testing.ts';
import { actorAt, filmAt } from './told.ts';

/** A page with the recording of a full socket buffer on its stage, and the engine that answers for it. */
async function overflow() {
  const engine = engineOnDisk();
  const opened = runOf(await engine.open(inputsOnDisk('socket-buffer-overflow'), () => undefined));
  const page = await pageWith(() =>
    fakeHandle(opened, {
      findings: () => engine.findings(),
      told: (focus) => engine.told(focus),
      journeys: (query, page) => engine.journeys(query, page),
      journeyRows: (ids) => engine.journeyRows(ids),
    }),
  );
  return { engine, ...page };
}

test('who waits longest is followed through the wait, to the end', async () => {
  const { engine, ringside, commands } = await overflow();
  const { findings, playhead, selection, session } = ringside;
  findings.load(session.handle);
  await expect.poll(() => findings.isKnown).toBe(true);
  const place = findings.all.findIndex(({ kind }) => kind === 'longest-wait');
  const found = findings.all[place];
  const packet = found?.packet ?? -1;
  const { start, end } = await engine.journey(packet);

  commands.effect('finding', (to) => to.showFinding(place));
  await expect.poll(() => playhead.isPlaying).toBe(true);
  const { told } = playhead;
  const [from, to] = [filmAt(told.pieces, start), filmAt(told.pieces, end)];
  const whom = Array.from({ length: 100 }, (_, at) => from + ((to - from) * at) / 100).map((film) =>
    actorAt(told.actors, film),
  );
  expect(new Set(whom)).toEqual(new Set([packet]));
  expect(selection.followed).toBe(packet);
  expect(playhead.time).toBeLessThan(found?.moment ?? 0);
});

test('what is opened from its card begins before what the card promises, and waits to be played', async () => {
  const { ringside, commands } = await overflow();
  const { findings, playhead, selection, session } = ringside;
  findings.load(session.handle, ['drops']);
  const [found] = await findings.known();
  expect(found?.kind).toBe('drops');
  commands.effect('begin', (to) => void to.beginAtFinding());
  await expect.poll(() => playhead.time).toBeLessThan(found?.moment ?? 0);
  const { pieces } = playhead.told;
  expect(filmAt(pieces, found?.moment ?? 0) - playhead.film).toBeCloseTo(1);
  expect(playhead.isPlaying).toBe(false);
  expect([selection.followed, findings.chosen]).toEqual([found?.packet, 0]);
});

test('nothing is drawn of a run before it stands at the moment at which it is to open', async () => {
  const { ringside } = await overflow();
  const { playhead, session } = ringside;
  expect(session.isToDraw).toBe(true);
  let find = (): void => undefined;
  const opens = session.opensAfter(() => new Promise<void>((found) => (find = found)));
  expect([session.isToDraw, session.isUpToDate]).toEqual([false, false]);
  playhead.seek(5000);
  find();
  await opens;
  expect(session.isToDraw).toBe(true);
  await expect(session.opensAfter(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(session.isToDraw).toBe(true);
});

test('whoever goes elsewhere while a finding’s film is made stays there', async () => {
  const { ringside, commands } = await overflow();
  const { findings, playhead, session } = ringside;
  findings.load(session.handle, ['drops']);
  const [found] = await findings.known();
  const told = vi.spyOn(playhead, 'tellOf');
  commands.effect('finding', (to) => to.showFinding(0));
  expect(playhead.time).toBe(found?.moment);
  commands.seek(5000);
  await told.mock.results[0]?.value;
  await new Promise(setImmediate);
  expect([playhead.time, playhead.isPlaying]).toEqual([5000, false]);
});

test('while an open question holds the film no finding is told, in whichever window', async () => {
  const { announcer, ringside, commands } = await overflow();
  const { findings, playhead, session } = ringside;
  findings.load(session.handle);
  await findings.known();
  playhead.hold(1000);
  commands.do('finding.next');
  expect(announcer.sentence).toMatch(/^That would give the answer away/);
  expect([tellable(ringside), playhead.time, findings.chosen]).toEqual([[], 1000, undefined]);
  commands.do('step.event.next');
  await vi.waitFor(() => expect(announcer.sentence).toMatch(/^No event|^That would give/));
  expect(announcer.sentence).toMatch(/^That would give the answer away/);
  playhead.hold(undefined);
  expect(tellable(ringside)).toHaveLength(findings.all.length);
});
