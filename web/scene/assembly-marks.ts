/** Marks of a datagram that waits for its fragments: a frame with a hole for each, filled or empty. */
import { centred, LETTER_WIDTH, outline } from './marks.ts';
import type { BoxMark, Mark } from './marks.ts';
import type { AssemblyShape, Rect } from './shapes.ts';

const LEAST_LETTERS = 8;

export function assemblyMarks(shape: AssemblyShape, scale: number): readonly Mark[] {
  const { rect, holes } = shape;
  const pitch = rect.width / Math.max(1, holes);
  // Until its last fragment is known, its right side stays open.
  const frame: Rect = shape.isSizeKnown
    ? rect
    : { ...rect, width: rect.width + 0.12 * rect.height };
  const inset = 0.07 * rect.height;
  return [
    {
      kind: 'box',
      rect: frame,
      radius: 5 * scale,
      line: 'ink',
      lineWidth: 1.5 * scale,
      isDashed: !shape.isSizeKnown,
    },
    ...Array.from({ length: holes }, (_, at): BoxMark => ({
      kind: 'box',
      rect: {
        x: rect.x + at * pitch + inset,
        y: rect.y + inset,
        width: Math.max(1, pitch - 2 * inset),
        height: rect.height - 2 * inset,
      },
      radius: 3 * scale,
      line: 'line-strong',
      isDashed: true,
    })),
    ...shape.pieces.flatMap(({ x, width, text = '' }): readonly Mark[] => {
      const box = {
        ...rect,
        x: x + inset / 2,
        y: rect.y + inset / 2,
        width: Math.max(1.5, width - inset),
        height: rect.height - inset,
      };
      const fitting = box.width / (LETTER_WIDTH * Math.max(1, text.length));
      const size = Math.min(0.55 * rect.height, 22 * scale, fitting);
      const isRoomy = text !== '' && size >= LEAST_LETTERS;
      return [
        { kind: 'box', rect: box, radius: 3 * scale, fill: 'packet' },
        ...(isRoomy ? [centred(box, text, size, 'on-packet' as const)] : []),
      ];
    }),
    ...shape.pieces.flatMap(({ x, width, mark }) =>
      outline({ ...rect, x, width }, mark, scale, true),
    ),
  ];
}
