/** An empty place is visible as such. */
import { expect, test } from 'vitest';
import { NONE } from '../core/core.ts';
import { marksOf } from './marks.ts';
import type { Shape } from './shapes.ts';

const rect = { x: 0, y: 0, width: 100, height: 10 };
const thing = { kind: 'costs' } as const;

/** Which edge each box that stands for room has. */
function edgesOf(shape: Shape): readonly (string | undefined)[] {
  return marksOf(shape, 1).flatMap((mark) =>
    mark.kind === 'box' && (mark.fill === 'slot-empty' || mark.fill === 'well') ? [mark.line] : [],
  );
}

test('empty places have the edge that tokens.test.ts holds to a contrast of 3', () => {
  const cache: Shape = { kind: 'cache', rect, columns: 3, rows: 1, filled: 1, thing };
  expect(edgesOf(cache)).toEqual(['line-strong', 'line-strong']);
  const stacked: Shape = { kind: 'stacked', rect, parts: [], isBedded: true, thing };
  expect(edgesOf(stacked)).toEqual(['line-strong']);
});

test('the outline of a packet fades with it', () => {
  const capsule: Shape = {
    ...({ kind: 'capsule', rect, thing, packet: 1, piece: 0, shells: [], names: [] } as const),
    ...({ kin: NONE, seams: [], joints: [], awaited: [], split: 0, isServed: true } as const),
    ...({ alpha: 0.25, mark: 'chosen' } as const),
  };
  const lines = marksOf(capsule, 1).filter((mark) => mark.kind === 'box' && mark.line === 'ink');
  expect(lines.map(({ alpha }) => alpha)).toEqual([0.25]);
});

test('the outline of a piece is as wide as the piece, whose number is as large as it lets it be', () => {
  const piece = (packet: number, mark: 'chosen' | 'none') =>
    ({ packet, piece: 0, x: 100 + 30 * packet, width: 30, text: `${packet + 1}/6`, mark }) as const;
  const shape: Shape = {
    ...{ kind: 'assembly', rect: { x: 100, y: 0, width: 180, height: 24 }, holes: 6, group: 1 },
    ...{ isSizeKnown: true, pieces: [piece(0, 'none'), piece(1, 'chosen')], thing },
  };
  const marks = marksOf(shape, 1);
  const outline = marks.at(-1);
  expect(outline).toMatchObject({ kind: 'box', rect: { x: 130, width: 30 } });
  const sizes = marks.flatMap((mark) => (mark.kind === 'text' ? [mark.size] : []));
  expect(sizes).toHaveLength(2);
  expect(Math.min(...sizes)).toBeGreaterThan(12);
});
