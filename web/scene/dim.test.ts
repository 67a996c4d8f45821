/**
 * Legibility and contrast, computed from the painted marks: of what is dimmed while another packet is
 * followed, and for viewers who are colour-blind or see no colours.
 */
import { expect, test } from 'vitest';
import { contrast, distance, EYES, over, seenBy, THEMES } from './colours-testing.ts';
import type { Light, Theme } from './colours-testing.ts';
import { marksOf } from './marks.ts';
import type { BoxMark, Mark } from './marks.ts';
import type { CapsuleShape, Rect, Shape } from './shapes.ts';
import { frameOf, runOf, shapesOf, staged } from './testing.ts';
import type { GridShape, LineStates } from './view-shapes.ts';
import { NO_STATES } from './views/caches/states.ts';

const queues = [{ kind: 'receive queue', unit: 'bytes', max: 9000, depth: 4000, limit: 9000 }];
const run = runOf([0, 1, 2], queues);
const busy = [{ context: 'softirq' }, { context: 'kernel', pid: 534 }, { context: 'hardirq' }];

/** All colours upon each other at a point, as the painter lays them. */
function groundAt(theme: Theme, marks: readonly Mark[], x: number, y: number): Light {
  let light = theme['page'] ?? [0, 0, 0];
  for (const mark of marks) {
    if (mark.kind !== 'box' || mark.fill === undefined) continue;
    const { rect } = mark;
    const isHere =
      rect.x <= x && x <= rect.x + rect.width && rect.y <= y && y <= rect.y + rect.height;
    if (isHere) light = over(theme, mark.fill, mark.alpha ?? 1, light);
  }
  return light;
}

const packets = [
  { packet: 1, at: 'TCP', cpu: 0, isServed: true },
  { packet: 2, at: 'IP', cpu: 1, since: -100 },
  { packet: 3, at: 'rx ring', cpu: 0 },
  { packet: 4, at: 'receive queue', cpu: 1, queue: 0 },
  { packet: 5, at: 'net core', cpu: 1, pieceOf: { packet: 9, number: 2, of: 3 } },
];

for (const [name, theme] of Object.entries(THEMES)) {
  test(`what steps back beside a followed packet can be read in the ${name} theme`, () => {
    const stage = staged(run, 1600, 900);
    const shapes = shapesOf(stage, frameOf(500, packets, busy, queues), { followed: 1 });
    const dim = shapes.filter(({ isDim }) => isDim === true);
    expect(dim.length).toBeGreaterThan(20);
    const marks = shapes.flatMap((shape) => marksOf(shape, stage.layout.scale));
    const faint = dim
      .flatMap((shape) => marksOf(shape, stage.layout.scale))
      .flatMap((mark) => {
        if (mark.kind !== 'text' || mark.text === '') return [];
        const below = marks.slice(
          0,
          marks.findIndex((one) => isSame(one, mark)),
        );
        const ground = groundAt(theme, below, middleOf(mark), mark.y);
        const by = contrast(over(theme, mark.colour, mark.alpha ?? 1, ground), ground);
        return by >= 4.5 ? [] : [`${mark.text}: ${by.toFixed(2)}, not 4.5`];
      });
    expect(faint).toEqual([]);
  });

  test(`what steps back beside a followed packet can be seen in the ${name} theme`, () => {
    const page = theme['page'] ?? [0, 0, 0];
    const one = capsule({});
    const pill: Shape = {
      kind: 'pill',
      rect,
      text: 'x',
      size: 12,
      fill: 'softirq',
      colour: 'on-softirq',
    };
    for (const shape of [one, pill]) {
      const marks = marksOf({ ...shape, isDim: true }, 1);
      const most = Math.max(
        ...marks.map((mark) =>
          mark.kind === 'box'
            ? Math.max(...lightsOf(theme, mark).map((light) => contrast(light, page)))
            : 0,
        ),
      );
      expect(most, shape.kind).toBeGreaterThanOrEqual(3);
    }
  });
}

const rect: Rect = { x: 0, y: 0, width: 90, height: 44 };

function capsule(more: Partial<CapsuleShape>): CapsuleShape {
  return {
    ...{ kind: 'capsule', rect, packet: 1, piece: 0, names: ['1'], kin: 0xffff_ffff },
    ...{ shells: [], seams: [], joints: [], awaited: [], split: 0, alpha: 1, isServed: true },
    mark: 'none',
    ...more,
  };
}

function grid(more: Partial<GridShape>): GridShape {
  return {
    ...{ kind: 'grid', rect, columns: 1, pitch: 20, size: 18, unit: 1 },
    ...{ lines: 0, states: NO_STATES, coming: 0, invalidated: 0, places: 1, fill: 'cache' },
    ...more,
  };
}

function inState(fill: GridShape['fill'], state: keyof LineStates): GridShape {
  return grid({ fill, lines: 1, states: { ...NO_STATES, [state]: 1 } });
}

const drop: Shape = { kind: 'drop', rect, packet: 1, name: '1', turn: 0, alpha: 1 };
const fills = ['cache', 'user', 'packet', 'kernel', 'lock', 'softirq'] as const;

/** What must not be taken for each other. */
const PAIRS: readonly (readonly [what: string, one: Shape, other: Shape])[] = [
  ['delivered and dropped', capsule({ alpha: 0.5 }), drop],
  ['worked on and waiting', capsule({ isServed: true }), capsule({ isServed: false })],
  ['a piece and a whole one', capsule({ kin: 3 }), capsule({})],
  ['merged and cut', capsule({ joints: [45] }), capsule({ kin: 3 })],
  ['merged and still to come', capsule({ joints: [45] }), capsule({ joints: [45], awaited: [1] })],
  ...fills.flatMap((fill) => [
    [
      `${fill}: modified and exclusive`,
      inState(fill, 'modified'),
      inState(fill, 'exclusive'),
    ] as const,
    [`${fill}: exclusive and shared`, inState(fill, 'exclusive'), inState(fill, 'shared')] as const,
    [`${fill}: modified and shared`, inState(fill, 'modified'), inState(fill, 'shared')] as const,
    [
      `${fill}: exclusive and void`,
      inState(fill, 'exclusive'),
      grid({ fill, invalidated: 1 }),
    ] as const,
    [`${fill}: void and never there`, grid({ fill, invalidated: 1 }), grid({ fill })] as const,
  ]),
];

/** As much as two colours of one form must differ. */
const APART = 8;

for (const [name, theme] of Object.entries(THEMES)) {
  for (const eyes of EYES) {
    test(`what differs is told apart in the ${name} theme: ${eyes}`, () => {
      const alike = PAIRS.filter(([, one, other]) => {
        const [a, b] = [marksOf(one, 1), marksOf(other, 1)];
        return formOf(a) === formOf(b) && apart(theme, eyes, a, b) < APART;
      }).map(([what]) => what);
      expect(alike).toEqual([]);
    });
  }
}

/** Which marks there are and how their edges are drawn: what is seen without any colour. */
function formOf(marks: readonly Mark[]): string {
  return marks
    .map((mark) =>
      mark.kind === 'box'
        ? `box ${mark.fill === undefined ? 'hollow' : 'full'} ${mark.isDashed === true ? 'dashed' : 'solid'}`
        : mark.kind,
    )
    .join();
}

function apart(theme: Theme, eyes: string, a: readonly Mark[], b: readonly Mark[]): number {
  const most = a.map((mark, at) => {
    const other = b[at];
    if (mark.kind !== 'box' || other?.kind !== 'box') return 0;
    const [one, two] = [lightsOf(theme, mark), lightsOf(theme, other)];
    return Math.max(
      0,
      ...one.map((light, part) => distance(seenBy(eyes, light), seenBy(eyes, two[part] ?? light))),
    );
  });
  return Math.max(0, ...most);
}

/** The colours of an area and of its edge, on the page. */
function lightsOf(theme: Theme, { fill, line, alpha = 1 }: BoxMark): readonly Light[] {
  const page = theme['page'] ?? [0, 0, 0];
  return [fill, line].flatMap((colour) =>
    colour === undefined ? [] : [over(theme, colour, alpha, page)],
  );
}

function isSame(one: Mark, text: Mark): boolean {
  return (
    one.kind === 'text' &&
    text.kind === 'text' &&
    one.text === text.text &&
    one.x === text.x &&
    one.y === text.y
  );
}

/** Where the middle of a text is, about. */
function middleOf(mark: Extract<Mark, { kind: 'text' }>): number {
  const width = mark.text.length * mark.size * 0.5;
  return mark.x + (mark.align === 'left' ? width / 2 : mark.align === 'right' ? -width / 2 : 0);
}
