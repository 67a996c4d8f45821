/**
 * Bars with their predictions as marks, for files: the label above, the value at the end, the prediction
 * dashed.
 */
import type { Mark } from '../marks.ts';
import { box, text, type Drawn } from './layer-pictures.ts';

/** A bar with its texts; its length and its prediction are fractions of the longest bar. */
export interface WordedBar {
  readonly label: string;
  readonly text: string;
  readonly length: number;
  readonly predicted: { readonly from: number; readonly to: number } | undefined;
}

const WIDTH = 720;
const RIGHT = 110;
const ROW = 54;
const TRACK = { top: 20, height: 24 };

export function barsPicture(bars: readonly WordedBar[]): Drawn {
  const room = WIDTH - RIGHT;
  const marks = bars.flatMap(({ label, text: value, length, predicted }, at): readonly Mark[] => {
    const top = at * ROW + TRACK.top;
    const { height } = TRACK;
    return [
      text(label, 0, top - 10, 'left'),
      box(0, top, room, height, 'well'),
      box(0, top, length * room, height, 'kernel'),
      ...(predicted === undefined ? [] : [dashed(predicted, room, top)]),
      text(value, WIDTH, top + height / 2, 'right', true),
    ];
  });
  return { marks, width: WIDTH, height: bars.length * ROW };
}

function dashed({ from, to }: { from: number; to: number }, room: number, top: number): Mark {
  const rect = { x: from * room, y: top - 3, width: (to - from) * room, height: TRACK.height + 6 };
  return { kind: 'box', rect, radius: 3, line: 'ink', lineWidth: 2, isDashed: true };
}
