/**
 * What is drawn in the moments of the silent films, in text pictures without any label: which
 * things are where. Goldens are beside this file (`films/`); `npx vitest run
 * web/stage/films.test.ts -u` writes them.
 */
import { expect, test } from 'vitest';
import type { Layout } from '../scene/layout.ts';
import type { Rect, Shape } from '../scene/shapes.ts';
import type { GridShape } from '../scene/view-shapes.ts';
import { drawn } from './films-drawn.ts';
import { FILMS } from './films.ts';

test.each(FILMS)('$name is seen to happen', { timeout: 120_000 }, async (film) => {
  const pictures = (await drawn(film)).map(({ second, time, shapes, layout }) => {
    const lines = layout === undefined ? listOf(shapes) : pictureOf(shapes, layout);
    return `${second} s: ${Math.round(time)} ns\n${lines.join('\n')}`;
  });
  await expect(`${pictures.join('\n\n')}\n`).toMatchFileSnapshot(`./films/${film.name}.txt`);
});

test('a drop is told in a film for as long as on the stage', { timeout: 120_000 }, async () => {
  const full = FILMS.find(({ name }) => name === 'full-socket');
  if (full === undefined) throw new Error('there is no film of a full socket');
  // It leaves the stage after half a second, and its reason after 1.6 s.
  const film = { ...full, view: 'queues', seconds: [0.3, 1.2, 1.8] } as const;
  const said = (await drawn(film)).map(({ shapes }) =>
    shapes.some((shape) => shape.kind === 'label' && shape.text.startsWith('SOCKET_RCVBUFF:')),
  );
  expect(said).toEqual([true, true, false]);
});

/** In a view without lanes: what there is, from the left to the right. */
function listOf(shapes: readonly Shape[]): readonly string[] {
  return shapes
    .flatMap((shape) => {
      const text = signOf(shape);
      return text === undefined ? [] : [{ x: shape.rect.x, text }];
    })
    .sort((a, b) => a.x - b.x)
    .map(({ x, text }) => `  ${Math.round(x)}: ${text}`);
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
      const merged = shape.joints.length > 0 ? `+${shape.joints.length}` : '';
      const awaited = shape.awaited.length > 0 ? `, ${shape.awaited.length} to come` : '';
      return `${worn}[${name}${merged}${awaited}]`;
    }
    case 'drop':
      return `✕${shape.packet}`;
    case 'stack':
      return `pile of ${shape.count}`;
    case 'stream':
      return `${shape.count} fused`;
    case 'assembly': {
      const held = new Set(shape.pieces.map(({ text }) => text?.split('/')[0]));
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
    case 'arc': {
      const count = shape.squares?.length ?? 0;
      const to = shape.to[0] > shape.from[0] ? 'to the right' : 'to the left';
      return count > 0 ? `${count} squares ${to}` : undefined;
    }
    case 'grid':
      return gridOf(shape);
    case 'refused':
      return `heap of ${shape.count}`;
    case 'trail':
      return 'trail';
    case 'cache':
    case 'gauge':
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

/** `16192 lines in 256s: M 3, E 16100, S 89, 4 void`. */
function gridOf({ lines, unit, states, invalidated }: GridShape): string {
  const { modified, exclusive, shared } = states;
  return `${lines} lines in ${unit}s: M ${modified}, E ${exclusive}, S ${shared}, ${invalidated} void`;
}

function isIn({ x, y, width, height }: Rect, room: Rect): boolean {
  const [atX, atY] = [x + width / 2, y + height / 2];
  const isAcross = room.x - 40 <= atX && atX < room.x + room.width;
  return isAcross && room.y <= atY && atY < room.y + room.height;
}
