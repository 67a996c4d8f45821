/**
 * The caches of a recording, which sees no line: whose CPU touched which packet last, and so has
 * its bytes, as squares of cache lines; which of them another CPU will have to fetch. The view
 * says that this is inferred.
 */
import { NO_CPU, NO_WORD } from '../../../core/core.ts';
import type { Frame } from '../../../core/frame.ts';
import { m } from '../../../words/generated/messages.js';
import { countText } from '../../machine/texts.ts';
import type { Shape, View } from '../../shapes.ts';
import { headsBottom } from '../heads.ts';
import type { CpuColumn, Ground } from '../ground.ts';
import { squaresIn, unitFor } from '../grid.ts';
import { card, line, LINE } from '../parts.ts';
import { BETWEEN, SQUARE } from './rows.ts';

/** Of a line of a cache, as of every processor here. */
const LINE_BYTES = 64;
/** A packet's row, in text sizes. */
const ROW = 2.9;
const COMPACT = 18;
/** A panel is at least so high, in text sizes. */
const LEAST = 9;

interface Held {
  readonly packet: number;
  readonly piece: number;
  readonly lines: number;
  readonly station: string;
  /** The CPU that works on it next, if it is another. */
  readonly goesTo: number | undefined;
}

export function inferredHeight(ground: Ground): number {
  const { em, gap, shown, height, isCompact } = ground;
  const foot = 2 * em * LINE + gap;
  if (!isCompact) return Math.max(height, headsBottom(ground) + LEAST * em + foot);
  return headsBottom(ground) + shown.length * (COMPACT * em + gap) + foot;
}

export function inferredShapes(ground: Ground, frame: Frame, view: View): readonly Shape[] {
  const { em, gap, width, isCompact } = ground;
  const top = headsBottom(ground);
  const foot = { x: gap, width: width - 2 * gap, colour: 'ink-muted' } as const;
  const footY = inferredHeight(ground) - 2 * em * LINE - gap / 2;
  const panelHeight = isCompact ? COMPACT * em : footY - top - gap / 2;
  return [
    ...ground.shown.flatMap((column, at) => {
      const rect = {
        x: isCompact ? gap : column.x,
        y: isCompact ? top + at * (panelHeight + gap) : top,
        width: isCompact ? width - 2 * gap : column.width,
        height: panelHeight,
      };
      return panelShapes(ground, frame, column, rect, view);
    }),
    ...line(ground, { ...foot, y: footY, text: m.caches_inferred() }),
    ...line(ground, {
      ...{ ...foot, y: footY + em * LINE },
      text: m.caches_hand_overs({ count: frame.counters.cacheHandovers }),
    }),
  ];
}

/** The packets in flight whose bytes a CPU touched last. */
export function heldBy(ground: Ground, frame: Frame, cpu: number): readonly Held[] {
  const { packets } = frame;
  return [...packets.packet.keys()].flatMap((index): readonly Held[] => {
    if ((packets.verdict[index] ?? NO_WORD) !== NO_WORD || packets.cpu[index] !== cpu) return [];
    const next = packets.nextCpu[index] ?? NO_CPU;
    return [
      {
        packet: packets.packet[index] ?? 0,
        piece: packets.piece[index] ?? 0,
        lines: Math.max(1, Math.ceil((packets.bytes[index] ?? 0) / LINE_BYTES)),
        station: ground.words.glossary.stations[packets.station[index] ?? NO_WORD]?.name ?? '',
        goesTo: next === NO_CPU || next === cpu ? undefined : next,
      },
    ];
  });
}

function panelShapes(
  ground: Ground,
  frame: Frame,
  { cpu }: CpuColumn,
  rect: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  view: View,
): readonly Shape[] {
  const { em } = ground;
  const thing = { kind: 'cache', cpu } as const;
  const held = [...heldBy(ground, frame, cpu)].sort(
    (a, b) =>
      Number(b.packet === (view.followed ?? view.selected)) -
      Number(a.packet === (view.followed ?? view.selected)),
  );
  const pad = em * 0.7;
  const inner = { x: rect.x + pad, width: rect.width - 2 * pad };
  const lines = held.reduce((sum, one) => sum + one.lines, 0);
  const room = Math.max(1, Math.floor((rect.height - 2 * em) / (ROW * em)));
  const single = held.length <= room ? held : held.slice(0, room - 1);
  const rest = held.slice(single.length);
  const restLines = rest.reduce((sum, one) => sum + one.lines, 0);
  const pitch = (SQUARE + BETWEEN) * em;
  const columns = Math.max(1, Math.floor(inner.width / pitch));
  const unit = unitFor(Math.max(1, restLines, ...single.map((one) => one.lines)), columns);
  const row = (
    at: number,
    text: string,
    count: number,
    goesTo: number | undefined,
    packet?: Held,
  ): readonly Shape[] => {
    const y = rect.y + 2 * em + at * ROW * em;
    const own =
      packet === undefined
        ? thing
        : ({ kind: 'packet', packet: packet.packet, piece: packet.piece } as const);
    const next = goesTo === undefined ? '' : ` → CPU ${goesTo}`;
    const squares = squaresIn(inner.width, SQUARE * em, BETWEEN * em, Math.ceil(count / unit));
    return [
      ...line(ground, {
        ...inner,
        text: `${text}${next}`,
        y,
        isBold: goesTo !== undefined,
        thing: own,
      }),
      {
        kind: 'grid',
        rect: { x: inner.x, y: y + em * LINE, width: inner.width, height: SQUARE * em },
        thing: own,
        ...{ columns: squares.columns, pitch: squares.pitch, size: SQUARE * em, unit },
        ...{ lines: count, shared: 0, places: 0, fill: 'cache' },
      },
    ];
  };
  return [
    card(ground, rect, { thing, isDashed: true }),
    ...line(ground, {
      ...{ ...inner, y: rect.y + em * 0.4, colour: 'ink-soft', thing },
      text: m.caches_touched({ count: held.length, lines: countText(lines) }),
    }),
    ...single.flatMap((one, at) =>
      row(
        at,
        m.caches_packet({ packet: one.packet, station: one.station }),
        one.lines,
        one.goesTo,
        one,
      ),
    ),
    ...(rest.length === 0
      ? []
      : row(single.length, m.caches_more_packets({ count: rest.length }), restLines, undefined)),
  ];
}
