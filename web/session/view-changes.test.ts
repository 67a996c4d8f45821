/**
 * The reducer: whatever commands are given in whatever order, the view lies in the run, and a link
 * says it again exactly.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fakeRun } from '../core/fake-core.ts';
import { STAGE_VIEWS } from '../core/stage-view.ts';
import { COMMANDS } from './command-list.ts';
import type { Change, Command, Facts } from './command.ts';
import { letGo, patched, withFollowed, within } from './view-changes.ts';
import { DEFAULT_VIEW, parseViewState, serialiseViewState, type ViewState } from './view-state.ts';

const changes = COMMANDS.flatMap((command: Command) =>
  command.does.kind === 'view' ? [{ ...command, does: command.does }] : [],
);

const stretch = fc.record({ from: fc.integer({ min: 0 }), to: fc.integer({ min: 0 }) });
const aView: fc.Arbitrary<ViewState> = fc
  .record({
    time: fc.double({ min: 0, max: 1e9, noNaN: true }),
    zoom: fc.option(stretch, { nil: undefined }),
    range: fc.option(stretch, { nil: undefined }),
    loop: fc.option(stretch, { nil: undefined }),
    packet: fc.option(fc.nat(20), { nil: undefined }),
    isFollowing: fc.boolean(),
    stageView: fc.constantFrom(...STAGE_VIEWS),
  })
  .map((fields) => patched(DEFAULT_VIEW, { ...fields, place: 'stage', trace: 'loopback' }));

const someFacts: fc.Arbitrary<Facts> = fc
  .record({
    duration: fc.integer({ min: 1, max: 1e9 }),
    offered: fc.subarray(['queues', 'caches'] as const),
  })
  .map(({ duration, offered }) => ({
    run: fakeRun({ duration }),
    duration,
    offered: ['way', ...offered],
  }));

/** As the dispatcher does it: what means nothing here is left out. */
function reduced(view: ViewState, command: Command & { does: Change }, facts: Facts): ViewState {
  const isOffered = command.when?.(view, facts) ?? true;
  return isOffered ? within(command.does.change(view, facts), facts) : view;
}

test('any sequence of commands gives a view of the run that a link says again exactly', () => {
  fc.assert(
    fc.property(
      aView,
      someFacts,
      fc.array(fc.constantFrom(...changes), { maxLength: 30 }),
      (start, facts, given) => {
        let view = within(start, facts);
        for (const command of given) {
          view = reduced(view, command, facts);
          const link = serialiseViewState(view);
          expect(parseViewState(link), command.id).toEqual({ view, notices: [] });
          for (const part of [view.zoom, view.range, view.loop]) {
            expect(part === undefined || (part.from < part.to && part.to <= facts.duration)).toBe(
              true,
            );
          }
          expect(view.time).toBeLessThanOrEqual(facts.duration);
          expect(view.packet ?? 0).toBeLessThan(facts.run?.journeys.total ?? 0);
        }
      },
    ),
  );
});

test('Escape lets go of one thing at a time', () => {
  let view = patched(DEFAULT_VIEW, {
    ...{ isStageAlone: true, packet: 3, isFollowing: true, range: { from: 1, to: 2 } },
  });
  const left: unknown[] = [];
  for (let press = 0; press < 4; press += 1) {
    view = letGo(view);
    left.push([view.isStageAlone, view.isFollowing, view.packet, view.range]);
  }
  expect(left).toEqual([
    [false, true, 3, { from: 1, to: 2 }],
    [false, false, 3, { from: 1, to: 2 }],
    [false, false, undefined, { from: 1, to: 2 }],
    [false, false, undefined, undefined],
  ]);
});

const run = { run: fakeRun({ duration: 10_000 }), duration: 10_000, offered: [] };
const journey = { start: 4000, end: 5000 };

test('following a packet brings play head and time line to it, and no further than they must', () => {
  const far = patched(DEFAULT_VIEW, { time: 100, zoom: { from: 0, to: 1000 } });
  expect(withFollowed(3, journey)(far, run)).toMatchObject({
    ...{ packet: 3, isFollowing: true, place: 'stage', time: 4000 },
    zoom: { from: 3500, to: 4500 },
  });
  const near = patched(DEFAULT_VIEW, { time: 4500, zoom: { from: 4000, to: 9000 } });
  expect(withFollowed(3, journey)(near, run)).toMatchObject({ time: 4500, zoom: near.zoom });
  expect(withFollowed(3, journey, 4900)(near, run).time).toBe(4900);
});

test('the time line that comes to a packet stays within the run', () => {
  const view = patched(DEFAULT_VIEW, { time: 100, zoom: { from: 0, to: 4000 } });
  const last = withFollowed(3, { start: 9900, end: 9990 })(view, run);
  expect(last.zoom).toEqual({ from: 6000, to: 10_000 });
});
