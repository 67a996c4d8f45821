/**
 * Where the time of a copy went: waiting for lines from another cache, for lines from memory, and copying.
 * A bar as wide as the stage shows the copy of the followed packet, or the one that began last; a line on
 * it marks the current time.
 */
import { NO_CPU, NO_WORD } from '../../../core/core.ts';
import type { Frame } from '../../../core/frame.ts';
import { nameIn } from '../../name.ts';
import type { Colour, Shape } from '../../shapes.ts';
import type { Ground } from '../ground.ts';
import { card, line, LINE } from '../parts.ts';
import { formatNanos, formatShare } from '../../../numbers/format.ts';
import { m } from '../../../words/generated/messages.js';
import { firstFitting } from '../../text.ts';
import { countText, shortLinesText } from '../../machine/texts.ts';

/** Height of the bar with its title, in text sizes. */
export const COPY = 4.4;

export interface Split {
  readonly cpu: number;
  readonly packet: number;
  readonly start: number;
  readonly end: number;
  readonly from: number;
  readonly movedLines: number;
  readonly movedCycles: number;
  /** In nanoseconds; the three add up to the time of the copy without interruptions. */
  readonly fetching: number;
  readonly reading: number;
  readonly copying: number;
}

/**
 * The copy to show: that of the followed packet, else the one that began last. `undefined` before the first
 * one, while the followed packet still waits for its copy, and if no clock rate converts cycles to time.
 */
export function copyOf(
  frame: Frame,
  clockKhz: number,
  pinned: number | undefined,
): Split | undefined {
  const { copies } = frame.machine;
  if (clockKhz === 0 || copies.cpu.length === 0) return undefined;
  const own = pinned === undefined ? -1 : copies.packet.lastIndexOf(pinned);
  if (own === -1 && isInFlight(frame, pinned)) return undefined;
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

function isInFlight({ packets }: Frame, packet: number | undefined): boolean {
  if (packet === undefined) return false;
  const at = packets.packet.indexOf(packet);
  return at !== -1 && (packets.verdict[at] ?? NO_WORD) === NO_WORD;
}

/** The text that explains why there is no copy to show. */
function noCopyText(frame: Frame, pinned: number | undefined): string {
  return pinned !== undefined && isInFlight(frame, pinned)
    ? m.caches_not_copied({ packet: nameIn(frame, pinned) })
    : m.caches_no_copy();
}

export function copyShapes(
  ground: Ground,
  frame: Frame,
  split: Split | undefined,
  pinned: number | undefined,
  top: number,
): readonly Shape[] {
  const { em, gap, width } = ground;
  const room = { x: gap, width: width - 2 * gap };
  if (split === undefined) {
    const text = noCopyText(frame, pinned);
    return line(ground, { ...room, text, y: top + em, colour: 'ink-muted' });
  }
  const { packet, fetching, reading, copying } = split;
  const whole = wholeOf(split);
  const { title, fetched, fetchedShare, copied, copiedShare } = textsOf(frame, split);
  const thing = { kind: 'packet', packet, piece: 0 } as const;
  const bar = { ...room, y: top + em * (LINE + 0.25), height: em * 2.1 };
  const parts: readonly Part[] = [
    {
      nanos: fetching,
      ...{ fill: 'cache', colour: 'on-cache' },
      texts: [fetched, m.caches_fetching_short({ share: fetchedShare }), fetchedShare],
    },
    {
      nanos: reading,
      ...{ fill: 'slot-empty', colour: 'ink' },
      texts: [m.caches_reading({ time: formatNanos(reading) })],
    },
    {
      nanos: copying,
      ...{ fill: 'kernel', colour: 'on-kernel' },
      texts: [copied, copiedShare],
    },
  ];
  const shapes: Shape[] = [
    ...line(ground, { ...room, y: top, isBold: true, thing, text: title }),
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
    shapes.push({ ...card(ground, now, { fill: 'ink', thing }), line: undefined, radius: 0 });
  }
  return shapes;
}

interface Part {
  readonly nanos: number;
  readonly fill: Colour;
  readonly colour: Colour;
  readonly texts: readonly string[];
}

/** The time of the copy without interruptions, in nanoseconds; at least 1, as it is a divisor. */
function wholeOf({ fetching, reading, copying }: Split): number {
  return Math.max(1, fetching + reading + copying);
}

/** The texts about the copy, for the picture and the sentences. */
function textsOf(frame: Frame, split: Split) {
  const { packet, cpu, from, movedLines, movedCycles, fetching, copying } = split;
  const whole = wholeOf(split);
  const [fetchedShare, copiedShare] = [formatShare(fetching, whole), formatShare(copying, whole)];
  return {
    title: m.caches_copy_title({ packet: nameIn(frame, packet), cpu, time: formatNanos(whole) }),
    fetched: m.caches_fetching({
      ...{ lines: shortLinesText(movedLines), cpu: from, share: fetchedShare },
      cycles: countText(movedCycles),
    }),
    fetchedShare,
    copied: m.caches_copying({ time: formatNanos(copying), share: copiedShare }),
    copiedShare,
  };
}

/** Sentences about where the time of the shown copy went. */
export function copySentences(
  frame: Frame,
  split: Split | undefined,
  pinned: number | undefined,
): readonly string[] {
  if (split === undefined) return [noCopyText(frame, pinned)];
  const { title, fetched, copied } = textsOf(frame, split);
  return [`${title}: ${split.movedLines > 0 ? `${fetched}, ` : ''}${copied}.`];
}
