/**
 * The way of one packet as marks, for files: a bar for each sojourn, service in its context's colour, then
 * waiting.
 */
import type { Colour } from '../shapes.ts';
import { box, lines, text, tick, type Drawn } from './layer-pictures.ts';
import type { Bar, Waterfall } from './waterfall.ts';
import type { Mark } from '../marks.ts';

/** The texts of a sojourn. */
export interface StayWords {
  readonly station: string;
  readonly cpu: string;
  readonly took: string;
  readonly context: Colour;
}

const WIDTH = 720;
const LEFT = 190;
const RIGHT = 80;
const ROW = 20;

export function waterfallPicture(
  { groups, ticks }: Waterfall,
  nameOf: (piece: number | 'whole') => string,
  wordsOf: (bar: Bar) => StayWords,
  write: (nanos: number) => string,
): Drawn {
  const x = (share: number) => LEFT + share * (WIDTH - LEFT - RIGHT);
  const marks: Mark[] = [];
  let y = 20;
  for (const { piece, bars } of groups) {
    if (groups.length > 1) {
      marks.push(text(nameOf(piece), 0, y + ROW / 2, 'left', true));
      y += ROW;
    }
    for (const bar of bars) {
      const { station, cpu, took, context } = wordsOf(bar);
      const middle = y + ROW / 2;
      marks.push(
        text(`${station} · ${cpu}`, 0, middle, 'left'),
        box(x(bar.left), y + 4, x(bar.middle) - x(bar.left), ROW - 8, context),
        box(x(bar.middle), y + 4, x(bar.right) - x(bar.middle), ROW - 8, 'idle'),
        text(took, WIDTH, middle, 'right'),
      );
      y += ROW;
    }
  }
  const head = ticks.flatMap(({ at, nanos }) => [
    lines([x(at), 16, x(at), y], 'line', 1, false),
    tick(nanos === 0 ? '0' : write(nanos), x(at), 8, WIDTH),
  ]);
  return { marks: [...head, ...marks], width: WIDTH, height: y + 4 };
}
