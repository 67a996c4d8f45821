/**
 * What the time of a copy went to: waiting for lines from another cache, for lines from memory,
 * and copying. One bar as wide as the stage for the copy that began last, or that of the
 * followed packet; a line upon it is now.
 */
import { NO_CPU } from '../../../core/core.ts';
import type { Frame } from '../../../core/frame.ts';
import { m } from '../../../words/generated/messages.js';
import { countText, linesText, shareText } from '../../machine/texts.ts';
import type { Colour, Shape, View } from '../../shapes.ts';
import { firstFitting, nanosText } from '../../text.ts';
import type { Ground } from '../ground.ts';
import { card, line, LINE } from '../parts.ts';

/** Height of the bar and its title, in text sizes. */
export const COPY = 4.4;

export interface Split {
  readonly cpu: number;
  readonly packet: number;
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly movedLines: number;
  readonly movedCycles: number;
  /** In nanoseconds; the three are the time of the copy without interruptions. */
  readonly fetching: number;
  readonly reading: number;
  readonly copying: number;
}

/** The copy that is to be seen; nothing before the first, or where no clock turns cycles into time. */
export function copyOf(
  frame: Frame,
  clockKhz: number,
  followed: number | undefined,
): Split | undefined {
  const { copies } = frame.machine;
  if (clockKhz === 0 || copies.cpu.length === 0) return undefined;
  const own = followed === undefined ? -1 : copies.packet.indexOf(followed);
  const last = copies.start.indexOf(Math.max(...copies.start));
  const row = own === -1 ? last : own;
  const nanosOf = (cycles: number | undefined) => ((cycles ?? 0) * 1e6) / clockKhz;
  const [start, end] = [copies.start[row] ?? 0, copies.end[row] ?? 0];
  const whole = Math.max(0, end - start - (copies.interrupted[row] ?? 0));
  const fetching = Math.min(whole, nanosOf(copies.movedCycles[row]));
  const reading = Math.min(whole - fetching, nanosOf(copies.filledCycles[row]));
  return {
    ...{ cpu: copies.cpu[row] ?? NO_CPU, packet: copies.packet[row] ?? 0, start, end },
    from: copies.from[row] ?? NO_CPU,
    movedLines: copies.movedLines[row] ?? 0,
    movedCycles: copies.movedCycles[row] ?? 0,
    ...{ fetching, reading, copying: whole - fetching - reading },
  };
}

export function copyShapes(
  ground: Ground,
  frame: Frame,
  top: number,
  view: View,
): readonly Shape[] {
  const { em, gap, width, run } = ground;
  const split = copyOf(frame, run.machine.clockKhz, view.followed ?? view.selected);
  const room = { x: gap, width: width - 2 * gap };
  if (split === undefined) {
    const text = m.caches_no_copy();
    return line(ground, { ...room, text, y: top + em, colour: 'ink-muted' });
  }
  const { packet, cpu, from, fetching, reading, copying } = split;
  const whole = Math.max(1, fetching + reading + copying);
  const thing = { kind: 'packet', packet, piece: 0 } as const;
  const bar = { ...room, y: top + em * (LINE + 0.25), height: em * 2.1 };
  const share = shareText(fetching / whole);
  const parts: readonly Part[] = [
    {
      nanos: fetching,
      ...{ fill: 'cache', colour: 'on-cache' },
      texts: [
        m.caches_fetching({
          ...{ lines: linesText(split.movedLines), cpu: from, share },
          cycles: countText(split.movedCycles),
        }),
        m.caches_fetching_short({ share }),
        share,
      ],
    },
    {
      nanos: reading,
      ...{ fill: 'slot-empty', colour: 'ink' },
      texts: [m.caches_reading({ time: nanosText(reading) })],
    },
    {
      nanos: copying,
      ...{ fill: 'kernel', colour: 'on-kernel' },
      texts: [
        m.caches_copying({ time: nanosText(copying), share: shareText(copying / whole) }),
        shareText(copying / whole),
      ],
    },
  ];
  const shapes: Shape[] = [
    ...line(ground, {
      ...{ ...room, y: top, isBold: true, thing },
      text: m.caches_copy_title({ packet, cpu, time: nanosText(whole) }),
    }),
    card(ground, bar, { fill: 'well', thing }),
  ];
  let x = bar.x;
  for (const { nanos, fill, colour, texts } of parts) {
    const part = { ...bar, x, width: (bar.width * nanos) / whole };
    x += part.width;
    if (part.width < 1) continue;
    const text = firstFitting(texts, part.width - em, ground.measure, em, true);
    shapes.push(
      { ...card(ground, part, { fill, thing }), line: undefined },
      ...line(ground, {
        ...{
          text,
          x: part.x + em / 2,
          width: part.width - em,
          y: bar.y + (bar.height - em * LINE) / 2,
        },
        ...{ colour, isBold: true, align: 'center', thing },
      }),
    );
  }
  const passed = (frame.time - split.start) / Math.max(1, split.end - split.start);
  if (passed >= 0 && passed < 1) {
    const now = {
      x: bar.x + bar.width * passed - 1.5,
      y: bar.y - em * 0.2,
      width: 3,
      height: bar.height + em * 0.4,
    };
    shapes.push({ ...card(ground, now, { fill: 'ink' }), line: undefined, radius: 0 });
  }
  return shapes;
}

interface Part {
  readonly nanos: number;
  readonly fill: Colour;
  readonly colour: Colour;
  readonly texts: readonly string[];
}
