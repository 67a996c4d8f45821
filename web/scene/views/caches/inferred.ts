/**
 * The caches in a recording, which contains no accesses to lines: the CPU that touched a packet last is
 * assumed to hold its bytes, drawn as squares of cache lines, and those that another CPU will have to fetch
 * are marked. The view says that this is inferred.
 */
import { NO_CPU, NO_WORD } from '../../../core/core.ts';
import type { Frame } from '../../../core/frame.ts';
import { nameAt } from '../../name.ts';
import { pinnedOf } from '../../place.ts';
import type { Shape, View } from '../../shapes.ts';
import { headsBottom, headShapes } from '../heads.ts';
import type { CpuColumn, Ground } from '../ground.ts';
import { squaresIn, unitFor } from '../grid.ts';
import { card, line, LINE, paragraph } from '../parts.ts';
import type { Drawn } from '../picture.ts';
import { BETWEEN, SQUARE } from './rows.ts';
import { NO_STATES } from './states.ts';
import { m } from '../../../words/generated/messages.js';
import { firstFitting, wrapped } from '../../text.ts';
import { countText } from '../../machine/texts.ts';
import { placeWord } from '../../../words/kernel-words.ts';

/** Height of a packet's row, in text sizes. */
const ROW = 2.9;
const COMPACT = 18;
/** Minimum width of a panel beside another one, in text sizes. */
const NARROWEST = 11;
/** Minimum height of a panel, in text sizes. */
const LEAST = 9;

interface Held {
  readonly packet: number;
  readonly name: string;
  readonly piece: number;
  readonly lines: number;
  readonly station: string;
  /** The CPU that processes it next, if it is another. */
  readonly goesTo: number | undefined;
}

/** The view of the caches for a run without cache lines: a recording. */
export function drawInferred(ground: Ground, frame: Frame, view: View): Drawn {
  const { measure, em, gap, width, shown } = ground;
  // Side by side on a phone, too: of panels below each other only the first would be in sight.
  const isCompact = shown.some((column) => column.width < NARROWEST * em);
  const top = headsBottom(ground);
  const foot = { x: gap, width: width - 2 * gap, colour: 'ink-muted' } as const;
  // Below the panels: what is inferred, and the number of hand-overs.
  const measured = (text: string) => measure(text, em, false, false);
  const inferred = wrapped(m.caches_inferred(), foot.width, measured).length;
  const footHeight = (inferred + 1) * em * LINE;
  const height = isCompact
    ? top + shown.length * (COMPACT * em + gap) + footHeight + gap
    : Math.max(ground.height, top + LEAST * em + footHeight + gap);
  const footY = height - footHeight - gap / 2;
  const panelHeight = isCompact ? COMPACT * em : footY - top - gap / 2;
  const panels = shown.flatMap((column, at) => {
    const rect = {
      x: isCompact ? gap : column.x,
      y: isCompact ? top + at * (panelHeight + gap) : top,
      width: isCompact ? width - 2 * gap : column.width,
      height: panelHeight,
    };
    return panelShapes(ground, frame, column, rect, view);
  });
  return {
    height,
    shapes: [
      ...headShapes(ground, frame, view),
      ...panels,
      ...paragraph(ground, { ...foot, y: footY, text: m.caches_inferred() }),
      ...line(ground, {
        ...{ ...foot, y: footY + inferred * em * LINE },
        text: m.caches_hand_overs({ count: frame.counters.cacheHandovers }),
      }),
    ],
    sentences: () => inferredSentences(ground, frame),
  };
}

/** The packets in flight whose bytes a CPU touched last. */
function heldBy(ground: Ground, frame: Frame, cpu: number): readonly Held[] {
  const { packets } = frame;
  return [...packets.packet.keys()].flatMap((index): readonly Held[] => {
    if ((packets.verdict[index] ?? NO_WORD) !== NO_WORD || packets.cpu[index] !== cpu) return [];
    const next = packets.nextCpu[index] ?? NO_CPU;
    return [
      {
        packet: packets.packet[index] ?? 0,
        name: nameAt(packets, index),
        piece: packets.piece[index] ?? 0,
        lines: Math.max(1, Math.ceil((packets.bytes[index] ?? 0) / ground.run.machine.lineBytes)),
        station: placeWord(
          ground.words.glossary.stations[packets.station[index] ?? NO_WORD]?.name ?? '',
        ),
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
  const { em, measure } = ground;
  const thing = { kind: 'cache', cpu } as const;
  const held = [...heldBy(ground, frame, cpu)].sort(
    (a, b) => Number(b.packet === pinnedOf(view)) - Number(a.packet === pinnedOf(view)),
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
    const next = goesTo === undefined ? '' : ` → ${m.cpu({ cpu: goesTo })}`;
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
        ...{ lines: count, states: NO_STATES, coming: 0, invalidated: 0, places: 0, fill: 'cache' },
      },
    ];
  };
  return [
    card(ground, rect, { thing, isDashed: true }),
    ...line(ground, {
      ...{ ...inner, y: rect.y + em * 0.4, colour: 'ink-soft', thing },
      text: firstFitting(
        [
          m.caches_touched({ count: held.length, lines: countText(lines) }),
          m.caches_held({ lines: countText(lines) }),
        ],
        ...([inner.width, measure, em] as const),
      ),
    }),
    ...single.flatMap((one, at) =>
      row(
        at,
        m.caches_packet({ packet: one.name, station: one.station }),
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

/** Which CPU touched which packets last, and that this is inferred. */
function inferredSentences(ground: Ground, frame: Frame): readonly string[] {
  const held = ground.run.cpus.map((cpu) => {
    const packets = heldBy(ground, frame, cpu);
    const lines = countText(packets.reduce((sum, one) => sum + one.lines, 0));
    return `${m.cpu({ cpu })}: ${m.caches_touched({ count: packets.length, lines })}.`;
  });
  return [...held, m.caches_inferred()];
}
