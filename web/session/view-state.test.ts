/** Links: what is written is read back, and nothing that is read can do harm. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { STAGE_VIEWS } from '../core/stage-view.ts';
import { DEFAULT_VIEW, parseViewState, serialiseViewState, type ViewState } from './view-state.ts';

const nanos = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const index = fc.nat({ max: 0xffff_fffe });
const stretch = fc
  .tuple(nanos, nanos)
  .map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
const maybe = { requiredKeys: [] as [] };

const always = fc.record({
  place: fc.constantFrom(
    'traces' as const,
    'lab' as const,
    'papers' as const,
    'laws' as const,
    'stage' as const,
  ),
  panel: fc.constantFrom('inspect' as const, 'ledger' as const),
  stageView: fc.constantFrom(...STAGE_VIEWS),
  isStageAlone: fc.boolean(),
  isTimelineOpen: fc.boolean(),
  pacing: fc.constantFrom('true' as const, 'event' as const),
  isFollowing: fc.boolean(),
  sort: fc.constantFrom('start' as const, 'wait' as const, 'cpus' as const),
  isDescending: fc.boolean(),
});
const sometimes = fc.record(
  {
    time: nanos,
    speed: fc.constantFrom(10, 2.5, 20_000, 1e10),
    rate: fc.constantFrom(0.5, 2, 100),
    loop: stretch,
    zoom: stretch,
    range: stretch,
    packet: index,
    focus: index,
    pace: fc.constantFrom(0.25, 2, 4),
    flow: index,
    socket: index,
    cpu: fc.nat({ max: 0xfffe }),
    verdict: fc.constantFrom('dropped' as const, 'open' as const),
    dropReason: fc.nat({ max: 254 }),
    direction: fc.constantFrom('rx' as const, 'tx' as const),
    duration: stretch,
    began: stretch,
  },
  maybe,
);
/** Whatever stands in a scenario, the core may judge it; only its form is ours. */
const scenarios = fc
  .dictionary(fc.string({ unit: 'grapheme', maxLength: 9 }), fc.jsonValue({ maxDepth: 2 }), {
    maxKeys: 5,
  })
  .map((scenario) => JSON.stringify(scenario))
  .filter((text) => encodeURIComponent(text).length < 2000);
const runs = fc.oneof(
  fc.record({ trace: fc.constantFrom('udp-small', 'veth-6.18', 'tcp-loss') }, maybe),
  fc.record({ scenario: scenarios.map((text) => JSON.stringify(JSON.parse(text))) }),
);
const views: fc.Arbitrary<ViewState> = fc
  .tuple(always, runs, sometimes)
  .map(([base, run, more]) => ({ ...base, ...run, ...more }));

test('every view is read back from its link as it was', () => {
  fc.assert(
    fc.property(views, (view) => {
      expect(parseViewState(`#${serialiseViewState(view)}`)).toEqual({ view, notices: [] });
    }),
  );
});

test('no text whatever makes it throw, and what it reads can be written and read again', () => {
  const keys = [
    'v=1&',
    't=',
    'trace=',
    'zoom=',
    '&',
    '=',
    '%',
    '%E0%A4%A',
    '__proto__=1',
    '<img>',
    'scenario=',
    '{"a":',
    '1e300}',
    '{}',
  ];
  const hostile = fc
    .array(fc.oneof(fc.constantFrom(...keys), fc.string({ unit: 'binary' })))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(
      fc.oneof(
        hostile,
        hostile.map((text) => `v=1&${text}`),
      ),
      (text) => {
        const { view } = parseViewState(text);
        expect(parseViewState(serialiseViewState(view)).view).toEqual(view);
      },
    ),
  );
});

test('a view as one begins with has no fragment', () => {
  expect(serialiseViewState(DEFAULT_VIEW)).toBe('');
  expect(parseViewState('')).toEqual({ view: DEFAULT_VIEW, notices: [] });
});

test('whatever the page puts into a link, it reads it', () => {
  // As long as each may be: names outside of ASCII take nine signs a letter.
  const scenario = JSON.stringify({ machine: 'x'.repeat(1000), strange: 'ü'.repeat(820) });
  const fork = { of: 0, change: { kind: 'setting', name: 'y'.repeat(1000), value: 1 } } as const;
  const view: ViewState = {
    ...DEFAULT_VIEW,
    ...{ place: 'stage', scenario, beside: scenario },
    forks: { root: '{"seed":1}', forks: [fork, { ...fork, of: 1 }, { ...fork, of: 2 }] },
    notes: Array.from({ length: 8 }, (_, at) => ({ time: at, text: 'n'.repeat(140) })),
    zoom: { from: 0, to: Number.MAX_SAFE_INTEGER },
  };
  const link = serialiseViewState(view);
  expect(link.length).toBeGreaterThan(15_000);
  expect(parseViewState(link)).toEqual({ view, notices: [] });
});

test('a link is short and readable', () => {
  const view: ViewState = {
    ...DEFAULT_VIEW,
    trace: 'tcp-loss',
    place: 'stage',
    time: 12_408_331,
    speed: 20_000,
    packet: 31,
    zoom: { from: 12_000_000, to: 13_000_000 },
  };
  expect(serialiseViewState(view)).toBe(
    'v=1&trace=tcp-loss&at=stage&t=12408331&speed=20000&zoom=12000000-13000000&packet=31',
  );
});

test('a scenario in a link can be read, and is made compact', () => {
  const { view } = parseViewState('v=1&at=lab&scenario={ "machine": "x",  "seed": 1 }');
  expect(view.scenario).toBe('{"machine":"x","seed":1}');
  expect(serialiseViewState(view)).toBe(
    'v=1&scenario=%7B%22machine%22:%22x%22,%22seed%22:1%7D&at=lab',
  );
});

test.each([
  [
    'v=1&trace=tcp-loss&t=-5',
    "The link's time was left out: “-5” is not a whole number from 0 to 9,007,199,254,740,991, in digits alone.",
  ],
  [
    'v=1&trace=tcp-loss&t=1e99',
    "The link's time was left out: “1e99” is not a whole number from 0 to 9,007,199,254,740,991, in digits alone.",
  ],
  ...['1e13', 'NaN', '0x10', '-1', '0', '1,5', 'Infinity', '1e-3'].map((speed) => [
    `v=1&trace=tcp-loss&speed=${speed}`,
    `The link's speed was left out: “${speed}” is not a number from 1 to 1,000,000,000,000, such as 2500, 0.5 or 1e6.`,
  ]),
  [
    'v=1&trace=../../etc/passwd',
    "The link's trace was left out: “../../etc/passwd” is not of that form.",
  ],
  [
    'v=1&zoom=9-3',
    "The link's zoom was left out: “9-3” is not two times, the first not after the second.",
  ],
  [
    'v=1&way=<script>alert(1)</script>',
    "The link's direction was left out: “<script>alert(1)</script…” is none of rx, tx.",
  ],
  ['v=1&cheat=1', 'The link also has something that is not known here: “cheat”.'],
  ['v=1&v=1', 'The link says “v” more than once; what it says first is taken.'],
  ['v=7&trace=tcp-loss', 'This link is of version “7”; this Ringside reads version 1.'],
  ['trace=tcp-loss', 'This link does not say what it shows.'],
  [`v=1&trace=${'a'.repeat(20_001)}`, 'This link is too long to be one of ours.'],
  ['v=1&trace=tcp-loss&own=00112233', 'The link names more than one run; its trace is taken.'],
  ['v=1&scenario={}&own=00112233', 'The link names more than one run; its scenario is taken.'],
  ['v=1&scenario=[1]', "The link's scenario was left out: “[1]” is not a scenario as JSON."],
  ['v=1&scenario={"a":1', 'The link\'s scenario was left out: “{"a":1” is not a scenario as JSON.'],
])('%s is told', (fragment, notice) => {
  expect(parseViewState(fragment).notices).toEqual([notice]);
});

test('what is left out of a link is quoted with its umlauts, and without what turns the writing around', () => {
  const [notice] = parseViewState('v=1&trace=gr%C3%BCn%E2%80%AE%0Ax').notices;
  expect(notice).toContain('“grün· x”');
});

test.each([
  ['1e12', 1e12],
  ['1E3', 1000],
  ['2.5e%2B2', 250],
  ['12.00000049', 12],
])('a speed of %s is %d', (text, speed) => {
  const { view, notices } = parseViewState(`#v=1&trace=tcp-loss&speed=${text}`);
  expect([view.speed, notices]).toEqual([speed, []]);
});

test('one broken field costs only itself', () => {
  const { view, notices } = parseViewState('#v=1&trace=tcp-loss&t=soon&packet=4&theme=dark');
  expect(view).toEqual({ ...DEFAULT_VIEW, trace: 'tcp-loss', packet: 4 });
  expect(notices).toHaveLength(1);
});

test('the theme that a sender had is neither taken over nor complained about', () => {
  expect(parseViewState('#v=1&at=lab&theme=dark')).toEqual({
    view: { ...DEFAULT_VIEW, place: 'lab' },
    notices: [],
  });
});
