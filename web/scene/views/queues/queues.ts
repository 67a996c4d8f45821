/**
 * The view of the queues: each is a tank with a lid at its limit, filled to its depth in the frame.
 * Enqueued packets fall in from above, dequeued ones leave below, and dropped ones fall beside it with the
 * kernel's reason.
 */
import { NO_QUEUE, NO_WORD } from '../../../core/core.ts';
import type { Frame } from '../../../core/frame.ts';
import { ease, endShare } from '../../motion.ts';
import { once } from '../../once.ts';
import { nameAt } from '../../name.ts';
import { queueState, type QueueState } from '../../queues.ts';
import { shortWord } from '../../rows.ts';
import { pinnedOf } from '../../place.ts';
import type { LabelShape, Rect, Shape, Thing, View } from '../../shapes.ts';
import { firstFitting } from '../../text.ts';
import { across, type Ground } from '../ground.ts';
import { headsBottom, headShapes } from '../heads.ts';
import { honest, line, LINE, packetBox, paragraph, type LineGiven } from '../parts.ts';
import type { Drawn } from '../picture.ts';
import { formatBytes, formatCount } from '../../../numbers/format.ts';
import { moreQueuesText } from '../../../words/counts.ts';
import { m } from '../../../words/generated/messages.js';

/** Sizes in text sizes: `lines` is the number of lines above a tank, and below it; packets fall above and below. */
interface Sizes {
  readonly width: number;
  readonly lines: number;
  readonly above: number;
  readonly below: number;
  readonly body: number;
}

const ROOMY: Sizes = { width: 10.5, lines: 2, above: 2, below: 2, body: 7 };
/** Where the tanks would not all be in sight: on a phone, or with many of them. */
const DENSE: Sizes = { width: 8.4, lines: 1, above: LINE, below: 0.6, body: 4 };
const FOOT = 1.7;
/** Seconds of film for which a packet falls in or leaves. */
const FALL = 0.35;
/** Maximum number of packets moving at once: more could not be followed. */
const MOVING = 3;

export interface Tank {
  /** Its index in the run's queues. */
  readonly queue: number;
  /** The whole area, and the vessel alone. */
  readonly rect: Rect;
  readonly body: Rect;
  readonly sizes: Sizes;
}

/** The queues in which packets waited in this run. */
function usedQueues({ run, words }: Ground) {
  const kindName = (kind: number) => words.glossary.queues[kind]?.name ?? '';
  return run.queues
    .map(({ kind, maxDepth }, queue) => ({ queue, kind, maxDepth }))
    .filter(({ kind, maxDepth }) => maxDepth > 0 && kindName(kind) !== 'run queue');
}

/** The tanks of the queues that the run used, in the order of a packet's way, as many as fit. */
const tanksOf = once((ground: Ground): readonly Tank[] => {
  const roomy = tanksIn(ground, ROOMY);
  return bottomOf(roomy) + FOOT * ground.em <= ground.height ? roomy : tanksIn(ground, DENSE);
});

const bottomOf = (tanks: readonly Tank[]) =>
  Math.max(0, ...tanks.map(({ rect }) => rect.y + rect.height));

function tanksIn(ground: Ground, sizes: Sizes): readonly Tank[] {
  const { em, gap, width, height } = ground;
  const used = usedQueues(ground);
  const perRow = Math.max(1, Math.floor((width - gap) / (sizes.width * em + gap)));
  // Of many sockets the deepest are the most informative.
  const most = perRow * (ground.isCompact ? 8 : 2);
  const kept = [...used]
    .sort((a, b) => b.maxDepth - a.maxDepth || a.queue - b.queue)
    .slice(0, most)
    .sort((a, b) => a.kind - b.kind || a.queue - b.queue);
  const rows = Math.max(1, Math.ceil(kept.length / perRow));
  const inRow = Math.max(1, Math.ceil(kept.length / rows));
  const top = headsBottom(ground);
  const fixed = (2 * sizes.lines * LINE + sizes.above + sizes.below) * em;
  const free = (height - top - FOOT * em - gap * rows) / rows - fixed;
  // Lower rather than that the last line is below the edge.
  const least = rows > 1 || ground.isCompact ? 0.6 : 1;
  const bodyHeight = Math.max(sizes.body * em * least, free);
  return kept.map(({ queue }, at): Tank => {
    const { x, width: room } = across(ground, inRow, at % inRow);
    const y = top + Math.floor(at / inRow) * (fixed + bodyHeight + gap);
    const rect = { x, y, width: room, height: fixed + bodyHeight };
    const bodyWidth = Math.min(room * 0.62, em * 11);
    const body = {
      x: x + em * 0.4,
      y: y + (sizes.lines * LINE + sizes.above) * em,
      width: bodyWidth,
      height: bodyHeight,
    };
    return { queue, rect, body, sizes };
  });
}

export function drawQueues(ground: Ground, frame: Frame, view: View): Drawn {
  const tanks = tanksOf(ground);
  const bottom = bottomOf(tanks);
  const foot =
    tanks.length === 0 ? [] : footer(ground, frame, tanks, dropsOf(ground, frame, tanks));
  const ends = Math.max(bottom + FOOT * ground.em, ...foot.map(({ rect }) => rect.y + rect.height));
  return {
    height: Math.max(ground.height, ends + ground.gap),
    shapes: [...queuesShapes(ground, frame, tanks, view), ...foot],
    // Depths, limits and drops are part of every frame's description.
    sentences: () => [],
  };
}

function queuesShapes(
  ground: Ground,
  frame: Frame,
  tanks: readonly Tank[],
  view: View,
): readonly Shape[] {
  const heads = headShapes(ground, frame, view);
  if (tanks.length === 0) {
    const nothing = honest(ground, headsBottom(ground), m.queues_none(), m.queues_none_why());
    return [...heads, ...nothing];
  }
  const held = contentsIn(ground, frame);
  return [
    ...heads,
    ...tanks.flatMap((tank) => tankShapes(ground, frame, tank, held(tank.queue), view)),
  ];
}

/** The newest drop of each tank. */
function dropsOf(ground: Ground, frame: Frame, tanks: readonly Tank[]): readonly Drop[] {
  const held = contentsIn(ground, frame);
  return tanks.flatMap(({ queue }) => held(queue).drops[0] ?? []);
}

function tankShapes(
  ground: Ground,
  frame: Frame,
  tank: Tank,
  { waiting, drops }: Held,
  view: View,
): readonly Shape[] {
  const { em, run, words } = ground;
  const { rect, body, queue, sizes } = tank;
  const state = queueState(frame, run, words, queue);
  const limit = frame.queueLimit[queue] ?? 0;
  const thing: Thing = { kind: 'queue', queue };
  const info = run.queues[queue];
  const deepest = info?.unit === 'bytes' ? formatBytes(info.maxDepth) : String(info?.maxDepth ?? 0);
  const under = body.y + body.height + sizes.below * em;
  const room = { x: rect.x, width: rect.width };
  const kind = words.glossary.queues[info?.kind ?? -1]?.name ?? '';
  const isLow = sizes.lines === 1;
  const names = [state.name, shortWord(kind)];
  const labelled = names.map((name) => [name, state.label].filter(Boolean).join(' · '));
  // One of several of its kind is told by its label.
  const isOne = run.queues.filter((other) => other.kind === info?.kind).length === 1;
  const name = firstFitting(
    isLow ? [...labelled, ...(isOne ? names : [state.label])] : names,
    rect.width,
    ground.measure,
    em,
    true,
  );
  const reason = drops[0]?.reason;
  return [
    ...line(ground, {
      ...room,
      text: name || (isLow && !isOne ? state.label : state.name),
      y: rect.y,
      isBold: true,
      thing,
    }),
    ...lower(isLow, {
      ...{ ...room, text: state.label, y: rect.y + em * LINE, thing },
      colour: 'ink-muted',
    }),
    {
      kind: 'tank',
      rect: body,
      thing,
      depth: state.depth,
      limit,
      share: state.share,
      seams: info?.unit === 'bytes' ? 0 : state.depth,
    },
    ...line(ground, { ...room, text: state.text, y: under, isBold: true, thing }),
    ...lower(isLow, {
      ...{ ...room, y: under + em * LINE, thing },
      text: reason ?? m.queues_deepest({ depth: deepest }),
      colour: reason === undefined ? 'ink-muted' : 'ink',
      isBold: reason !== undefined,
    }),
    ...movingShapes(ground, frame, tank, state, waiting, view),
    ...dropShapes(ground, tank, drops, view),
  ];

  /** A second line, where there is one. */
  function lower(isLow: boolean, given: LineGiven): readonly Shape[] {
    return isLow ? [] : line(ground, given);
  }
}

/** Packets that were just enqueued or are about to be dequeued, and the followed one at its place. */
function movingShapes(
  ground: Ground,
  frame: Frame,
  tank: Tank,
  state: QueueState,
  queued: readonly number[],
  view: View,
): readonly Shape[] {
  const { em } = ground;
  const { body, sizes } = tank;
  const { packets, time } = frame;
  const size = { width: Math.min(body.width * 0.6, em * 4), height: em * 1.1 };
  const x = body.x + (body.width - size.width) / 2;
  const level = body.y + body.height * (1 - state.share);
  const shapes: Shape[] = [];
  let [coming, leaving] = [0, 0];
  queued.forEach((index, place) => {
    const packet = packets.packet[index] ?? 0;
    const age = -view.filmTo(packets.since[index] ?? time);
    const left = view.filmTo(packets.until[index] ?? Infinity);
    const isChosen = packet === pinnedOf(view);
    let y: number | undefined;
    if (view.travel > 0 && age >= 0 && age < FALL && (isChosen || coming < MOVING)) {
      coming += 1;
      const from = body.y - 0.8 * sizes.above * em;
      y = from + (Math.max(body.y, level - size.height) - from) * ease(age / FALL);
    } else if (view.travel > 0 && left >= 0 && left < FALL && (isChosen || leaving < MOVING)) {
      leaving += 1;
      const from = body.y + body.height - size.height;
      y = from + 0.9 * sizes.below * em * ease(1 - left / FALL);
    } else if (isChosen) {
      const share = (place + 0.5) / Math.max(1, queued.length);
      y = body.y + body.height - share * (body.y + body.height - level) - size.height / 2;
      y = Math.min(y, body.y + body.height - size.height);
    }
    if (y === undefined) return;
    shapes.push(packetBox({ x, y, ...size }, packets, index, { isServed: false, isChosen }));
  });
  return shapes;
}

interface Drop {
  readonly packet: number;
  readonly name: string;
  readonly until: number;
  readonly reason: string;
  readonly word: number;
}

/** A frame's packets of one queue. */
interface Held {
  /** Waiting packets by their index in the frame, the longest waiting first. */
  readonly waiting: readonly number[];
  /** Packets that it just dropped, the most recent first. */
  readonly drops: readonly Drop[];
}

const NOTHING: Held = { waiting: [], drops: [] };

/** The packets of a frame by the queue that contains or dropped them. */
function contentsIn(ground: Ground, { packets }: Frame): (queue: number) => Held {
  const { words } = ground;
  const queues = new Map<number, { readonly waiting: number[]; readonly drops: Drop[] }>();
  packets.packet.forEach((packet, index) => {
    const verdict = packets.verdict[index] ?? NO_WORD;
    const isDropped = verdict === words.dropped;
    if (verdict !== NO_WORD && !isDropped) return;
    const word = packets.dropReason[index] ?? NO_WORD;
    const reason = words.glossary.dropReasons[word]?.name ?? '';
    const own = packets.queue[index] ?? NO_QUEUE;
    const queue = own === NO_QUEUE && isDropped ? refusing(ground, reason) : own;
    if (queue === undefined || queue === NO_QUEUE) return;
    const held = queues.get(queue) ?? { waiting: [], drops: [] };
    queues.set(queue, held);
    if (isDropped)
      held.drops.push({
        packet,
        name: nameAt(packets, index),
        until: packets.until[index] ?? 0,
        word,
        reason,
      });
    else held.waiting.push(index);
  });
  for (const { waiting, drops } of queues.values()) {
    waiting.sort((a, b) => (packets.since[a] ?? 0) - (packets.since[b] ?? 0));
    drops.sort((a, b) => b.until - a.until);
  }
  return (queue) => queues.get(queue) ?? NOTHING;
}

/**
 * The queue of the kind that a drop reason implies, if there is just one: of several it is unknown which
 * dropped.
 */
function refusing({ run, words }: Ground, reason: string): number | undefined {
  const kind = Object.keys(REFUSED_WITH).find((name) => REFUSED_WITH[name]?.includes(reason));
  const at = kind === undefined ? undefined : words.queueIndex.get(kind);
  const first = run.queues.findIndex((queue) => queue.kind === at);
  const last = run.queues.findLastIndex((queue) => queue.kind === at);
  return first === last && first !== -1 ? first : undefined;
}

/** The queues that a drop reason implies if the packet was not in a queue yet. */
const REFUSED_WITH: Readonly<Record<string, readonly string[]>> = {
  'rx ring': ['RX_RING_FULL'],
  'receive queue': ['SOCKET_RCVBUFF'],
  'socket backlog': ['SOCKET_BACKLOG'],
  backlog: ['CPU_BACKLOG'],
  qdisc: ['QDISC_DROP', 'QDISC_OVERLIMIT', 'FQ_BAND_LIMIT', 'FQ_FLOW_LIMIT', 'FULL_RING'],
};

function dropShapes(
  ground: Ground,
  { body, rect }: Tank,
  drops: readonly Drop[],
  view: View,
): readonly Shape[] {
  if (drops.length === 0) return [];
  const { em } = ground;
  const x = body.x + body.width + em * 0.5;
  const room = rect.x + rect.width - x;
  const size = { width: Math.min(room, em * 2.4), height: em * 1.1 };
  const shown = drops.slice(0, MOVING);
  return [
    ...shown.map(({ packet, name, until, word }): Shape => {
      const share = endShare(-view.filmTo(until), view.travel);
      const y = body.y + (body.height - size.height) * ease(share);
      return {
        ...{
          kind: 'drop',
          packet,
          name,
          turn: view.travel === 0 ? 0 : share * 0.5,
          alpha: 1 - share * 0.4,
        },
        rect: { x, y, ...size },
        thing: { kind: 'drop', packet, reason: word },
      };
    }),
    ...line(ground, {
      ...{ x, width: room, y: body.y - em * LINE - em * 0.3, isBold: true },
      text: `× ${formatCount(drops.length)}`,
    }),
  ];
}

/** The most recent drop and its reason, as the glossary's sentence; without one, the totals so far. */
function footer(
  ground: Ground,
  frame: Frame,
  tanks: readonly Tank[],
  drops: readonly Drop[],
): readonly LabelShape[] {
  const { gap, width, words } = ground;
  const bottom = bottomOf(tanks);
  const [last] = drops;
  const reason = last === undefined ? undefined : words.glossary.dropReasons[last.word];
  const { delivered, dropped, transmitted } = frame.counters;
  const hidden = usedQueues(ground).length - tanks.length;
  const text =
    reason === undefined
      ? m.queues_so_far({
          ...{ delivered, dropped, transmitted },
          hidden: hidden > 0 ? ` · ${moreQueuesText(hidden)}` : '',
        })
      : `${reason.name}: ${reason.sentence}`;
  return paragraph(ground, {
    ...{ text, x: gap, y: bottom + gap / 2, width: width - 2 * gap },
    ...{ colour: reason === undefined ? 'ink-muted' : 'ink', isBold: reason !== undefined },
  });
}
