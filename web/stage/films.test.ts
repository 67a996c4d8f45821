/**
 * Eight things that are to be recognised without words, as silent films: six moments of a shipped
 * recording or scenario each, in a text picture of what is drawn and where, without any label.
 * Goldens are beside this file (`films/`); `npx vitest run web/stage/films.test.ts -u` writes them.
 */
import { expect, test } from 'vitest';
import type { Opened } from '../core/core.ts';
import type { Engine } from '../core/engine.ts';
import { engineOnDisk, inputsOnDisk } from '../core/on-disk.ts';
import { layoutOf } from '../scene/layout.ts';
import type { Layout } from '../scene/layout.ts';
import { scene, stageOf } from '../scene/scene.ts';
import type { Rect, Shape, View } from '../scene/shapes.ts';
import { estimate } from '../scene/text.ts';
import { wordsOf } from '../scene/words.ts';

interface Film {
  readonly name: string;
  readonly of: { readonly trace: string } | { readonly scenario: string };
  /** For a scenario that need not run to its end, how long it does. */
  readonly micros?: number;
  /** Nanoseconds of the run for a second of film. */
  readonly speed: number;
  readonly times: readonly number[];
}

const FILMS: readonly Film[] = [
  {
    name: 'reassembly',
    of: { trace: 'udp-fragments' },
    speed: 20_000,
    times: [194_230_000, 194_420_000, 194_600_000, 194_690_000, 194_700_500, 194_704_000],
  },
  {
    name: 'fragmentation',
    of: { trace: 'send-udp-fragments' },
    speed: 10_000,
    times: [2_748_000, 2_753_000, 2_755_000, 2_756_500, 2_762_000, 2_785_000],
  },
  {
    name: 'merge',
    of: { trace: 'tcp-gro-on' },
    speed: 20_000,
    times: [92_481_000, 92_485_000, 92_491_000, 92_495_000, 92_499_000, 92_507_000],
  },
  {
    name: 'hand-over',
    of: { trace: 'udp-fragments' },
    speed: 20_000,
    times: [194_707_000, 194_709_000, 194_711_000, 194_715_000, 194_724_000, 194_730_000],
  },
  {
    name: 'cache-lines',
    of: { scenario: 'ba-fig5-2.4-smp-1' },
    micros: 25_000,
    speed: 4000,
    times: [22_578_859, 22_579_400, 22_580_000, 22_580_800, 22_601_000, 22_603_000],
  },
  {
    name: 'preempted-reader',
    of: { scenario: 'wc-share' },
    micros: 802_000,
    speed: 100_000,
    times: [800_800_000, 801_030_000, 801_045_000, 801_060_000, 801_100_000, 801_200_000],
  },
  {
    name: 'full-socket',
    of: { trace: 'socket-buffer-overflow' },
    speed: 20_000,
    times: [131_430_000, 131_944_000, 131_953_000, 131_955_000, 131_960_000, 131_985_000],
  },
  {
    name: 'full-ring',
    of: { trace: 'ring-overflow' },
    speed: 100_000,
    times: [85_300_000, 85_500_000, 85_564_999, 85_590_000, 85_610_000, 85_640_000],
  },
];

test.each(FILMS)('$name is seen to happen', { timeout: 120_000 }, async (film) => {
  const engine = engineOnDisk();
  const words = wordsOf(await engine.glossary());
  const run = await opened(engine, film);
  const layout = layoutOf(run, words, { width: 1300, height: 620, measure: estimate });
  const stage = stageOf(run, words, layout, estimate);
  const pictures: string[] = [];
  for (const time of film.times) {
    const linger = film.speed / 2;
    const view: View = {
      travel: 0.6,
      filmTo: (at) => (at - time) / film.speed,
      linger,
      selected: undefined,
      selectedLabel: undefined,
      hovered: undefined,
    };
    const shapes = scene(stage, await engine.frame(time, linger), undefined, view);
    pictures.push(`${time} ns\n${pictureOf(shapes, layout).join('\n')}`);
  }
  await expect(`${pictures.join('\n\n')}\n`).toMatchFileSnapshot(`./films/${film.name}.txt`);
});

async function opened(engine: Engine, { of, micros }: Film): Promise<Opened> {
  const nothing = () => undefined;
  if ('scenario' in of) {
    const { scenarios } = await engine.catalogue();
    const text = scenarios.find(({ slug }) => slug === of.scenario)?.scenario ?? '';
    const scenario: Record<string, unknown> = JSON.parse(text) as Record<string, unknown>;
    const shorter = JSON.stringify({ ...scenario, duration_us: micros });
    const outcome = await engine.simulate(shorter, nothing);
    if (outcome.kind !== 'ok') throw new Error(JSON.stringify(outcome));
    return outcome.value;
  }
  const outcome = await engine.open(inputsOnDisk(of.trace), nothing);
  if (outcome.kind !== 'ok') throw new Error(JSON.stringify(outcome));
  return outcome.value;
}

/** A line for each place in which something is, from the top down. */
function pictureOf(shapes: readonly Shape[], layout: Layout): readonly string[] {
  const drawn = shapes.flatMap((shape) => {
    const text = signOf(shape);
    return text === undefined ? [] : [{ rect: shape.rect, text }];
  });
  return layout.columns.flatMap(({ rect: column, cpu }) =>
    [
      ...layout.lanes.map(({ spec, rect }) => ({ id: spec.id, rect })),
      { id: 'caches', rect: layout.caches },
    ].flatMap(({ id, rect }): readonly string[] => {
      const here = drawn
        .filter((thing) => isIn(thing.rect, { ...rect, x: column.x, width: column.width }))
        .sort((a, b) => a.rect.x - b.rect.x);
      const signs = here.map(({ text, rect: at }) => {
        const share = Math.round((100 * (at.x + at.width / 2 - column.x)) / column.width);
        return `${text}@${share}`;
      });
      return signs.length === 0 ? [] : [`  CPU ${cpu} ${id}: ${signs.join(' ')}`];
    }),
  );
}

/** A packet by its shells and its name, a drop by a cross, a frame by its holes. */
function signOf(shape: Shape): string | undefined {
  switch (shape.kind) {
    case 'capsule': {
      const worn = shape.shells.map(({ letters }) => letters).join('');
      const name = shape.names.at(-1) ?? '';
      return `${worn}[${name}${shape.joints.length > 0 ? `+${shape.joints.length}` : ''}]`;
    }
    case 'drop':
      return `✕${shape.packet}`;
    case 'stack':
      return `pile of ${shape.count}`;
    case 'stream':
      return `${shape.count} fused`;
    case 'assembly': {
      const held = new Set(shape.pieces.map(({ text }) => text));
      const holes = Array.from({ length: shape.holes }, (_, at) =>
        held.has(`${at + 1}`) ? `${at + 1}` : '_',
      );
      return `{${holes.join('')}}`;
    }
    case 'vessel':
      return shape.isFull ? 'FULL' : undefined;
    case 'bridge':
      return shape.isCrossed ? 'bridge' : undefined;
    case 'blade':
      return shape.share > 0 ? '|' : undefined;
    case 'card':
      return `(${shape.isDisplaced ? 'out: ' : ''}${shape.text})`;
    case 'arc':
      return (shape.squares?.length ?? 0) > 0 ? `${shape.squares?.length ?? 0} squares` : undefined;
    case 'cache':
    case 'gauge':
    case 'grid':
    case 'label':
    case 'panel':
    case 'pill':
    case 'rail':
    case 'ring':
    case 'rule':
    case 'stacked':
    case 'strip':
    case 'tank':
    case 'tether':
      return undefined;
  }
}

function isIn({ x, y, width, height }: Rect, room: Rect): boolean {
  const [atX, atY] = [x + width / 2, y + height / 2];
  const isAcross = room.x - 40 <= atX && atX < room.x + room.width;
  return isAcross && room.y <= atY && atY < room.y + room.height;
}
