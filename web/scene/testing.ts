/**
 * Runs and frames for tests of the scene, made from a few words: `packet({ at: 'TCP' })`.
 * The words are the kernel's; a test of the house compares them with the core's lists.
 */
import type { CpuColumns, Frame, PacketColumns } from '../core/frame.ts';
import type { Glossary, Opened, Visit } from '../core/core.ts';
import type { Lanes } from '../core/lanes.ts';
import { NO_CPU, NO_QUEUE, NO_WORD, NONE } from '../core/core.ts';
import { NO_MACHINE, NOTHING } from './machine/testing.ts';
import { layoutOf } from './layout.ts';
import { scene, stageOf } from './scene.ts';
import type { Stage } from './scene.ts';
import type { CapsuleShape, Shape, View } from './shapes.ts';
import { estimate } from './text.ts';
import { wordsOf } from './words.ts';

const RX =
  'wire,rx ring,driver,XDP,GRO,net core,backlog,IP,reassembly,TCP,UDP,transport,socket backlog,prequeue,out-of-order queue,receive queue,process';
const TX =
  'send call,write queue,TCP send,UDP send,transport send,IP send,qdisc,driver send,tx ring,wire out';
const QUEUES =
  'rx ring,backlog,reassembly,socket backlog,prequeue,out-of-order queue,receive queue,write queue,qdisc,tx ring,run queue';
const CONTEXTS = 'unknown,idle,user,kernel,softirq,hardirq,nmi,spinning';
const VERDICTS = 'delivered,merged,dropped,transmitted,consumed,open';
const REASONS = 'NOT_SPECIFIED,NO_SOCKET,SOCKET_RCVBUFF,RX_RING_FULL,CPU_BACKLOG';

const word = (name: string) => ({
  name,
  sentence: `What ${name} is, in one plain sentence.`,
  function: `${name.replaceAll(' ', '_')}()`,
  version: 'v6.12',
});

export const glossary: Glossary = {
  stations: [
    ...RX.split(',').map((name) => ({ ...word(name), direction: 'rx' as const, isQueue: false })),
    ...TX.split(',').map((name) => ({ ...word(name), direction: 'tx' as const, isQueue: false })),
  ],
  probes: [],
  contexts: CONTEXTS.split(',').map(word),
  queues: QUEUES.split(',').map((name) => ({ ...word(name), unit: 'packets' })),
  verdicts: VERDICTS.split(',').map(word),
  dropReasons: REASONS.split(',').map(word),
};

export const words = wordsOf(glossary);

/** A text with plain blanks for those that keep a number and its unit on one line. */
export function plain(text: string): string {
  return text.replaceAll('\u00a0', ' ');
}

export function station(name: string): number {
  return words.stationIndex.get(name) ?? NO_WORD;
}

export interface QueueGiven {
  readonly kind: string;
  readonly label?: string;
  readonly cpu?: number;
  readonly unit?: string;
  readonly max?: number;
  /** Where it is drawn; its CPU if it has one. */
  readonly home?: number;
  /** The task that reads it. */
  readonly reader?: number;
  readonly depth?: number;
  readonly limit?: number;
}

export interface PacketGiven {
  readonly packet: number;
  readonly at: string;
  readonly piece?: number;
  readonly cpu?: number;
  readonly next?: string;
  readonly nextCpu?: number;
  readonly since?: number;
  /** Since it came, unless told. */
  readonly ready?: number;
  readonly until?: number;
  readonly isServed?: boolean;
  readonly bytes?: number;
  readonly parts?: number;
  readonly fragment?: {
    readonly group: number;
    readonly from: number;
    readonly to: number;
    readonly of: number;
  };
  /** Indices of the queues in which it is and into which it goes. */
  readonly queue?: number;
  readonly nextQueue?: number;
  readonly pieceOf?: { readonly packet: number; readonly number: number; readonly of: number };
  readonly verdict?: string;
  readonly reason?: string;
  readonly into?: number;
}

export interface CpuGiven {
  readonly context: string;
  readonly pid?: number;
  readonly packet?: number;
  readonly detail?: number;
}

export function runOf(
  cpus: readonly number[],
  queues: readonly QueueGiven[] = [],
  more: Partial<Opened> = {},
): Opened {
  return {
    origin: 'recorded',
    hasSequences: false,
    format: 'ftrace',
    fingerprint: '0',
    metadata: [],
    events: 0,
    duration: 1_000_000,
    startsAt: 0,
    cpus,
    queues: queues.map(({ kind, label, cpu, home, reader, unit, max, limit }) => ({
      kind: words.queueIndex.get(kind) ?? 0,
      label: label ?? kind,
      cpu: cpu ?? NO_CPU,
      unit: unit ?? 'packets',
      maxDepth: max ?? 0,
      home: home ?? cpu ?? NO_CPU,
      reader: reader ?? NONE,
      limit: limit ?? 0,
    })),
    visits: visitsOf(cpus),
    machine: NO_MACHINE,
    tasks: [
      { pid: 534, comm: 'urecv' },
      { pid: 77, comm: 'ksoftirqd/1' },
    ],
    flows: [],
    sockets: [],
    journeys: {
      total: 10,
      delivered: 8,
      merged: 0,
      dropped: 0,
      transmitted: 4,
      consumed: 0,
      open: 0,
    },
    drops: [],
    wire: undefined,
    ledger: {
      total: 0,
      understood: 0,
      skipped: 0,
      unknown: 0,
      malformed: 0,
      lostMarkers: 0,
      leftOut: 0,
      lostEvents: 0,
      lostByCpu: [],
      skippedByName: [],
      unknownByName: [],
      malformedReasons: [],
      malformedLines: [],
      warnings: [],
    },
    ...more,
  };
}

/** Every station of every CPU is used, unless a test says otherwise. */
function visitsOf(cpus: readonly number[]): readonly Visit[] {
  const named = cpus.length > 0 ? cpus : [NO_CPU];
  return named.flatMap((cpu) =>
    glossary.stations.map((_, at) => ({ station: at, cpu, stays: 1, drops: 0, crossings: 0 })),
  );
}

export function frameOf(
  time: number,
  given: readonly PacketGiven[],
  cpus: readonly CpuGiven[] = [],
  queues: readonly QueueGiven[] = [],
): Frame {
  const verdicts = VERDICTS.split(',');
  const reasons = REASONS.split(',');
  const u32 = (of: (packet: PacketGiven) => number) => Uint32Array.from(given, of);
  const u16 = (of: (packet: PacketGiven) => number) => Uint16Array.from(given, of);
  const u8 = (of: (packet: PacketGiven) => number) => Uint8Array.from(given, of);
  const f64 = (of: (packet: PacketGiven) => number) => Float64Array.from(given, of);
  const packets: PacketColumns = {
    packet: u32(({ packet }) => packet),
    piece: u32(({ piece }) => piece ?? 0),
    station: u8(({ at }) => station(at)),
    cpu: u16(({ cpu }) => cpu ?? 0),
    context: u8(() => 4),
    since: f64(({ since }) => since ?? 0),
    ready: f64(({ since, ready }) => ready ?? since ?? 0),
    until: f64(({ until }) => until ?? 1000),
    nextStation: u8(({ next }) => (next === undefined ? NO_WORD : station(next))),
    nextCpu: u16(({ next, nextCpu, cpu }) => nextCpu ?? (next === undefined ? NO_CPU : (cpu ?? 0))),
    placeCpu: u16(({ cpu, nextCpu }) => nextCpu ?? cpu ?? 0),
    nextPlaceCpu: u16(
      ({ next, nextCpu, cpu }) => nextCpu ?? (next === undefined ? NO_CPU : (cpu ?? 0)),
    ),
    queue: u32(({ queue }) => queue ?? NO_QUEUE),
    nextQueue: u32(({ nextQueue }) => nextQueue ?? NO_QUEUE),
    isServed: u8(({ isServed }) => (isServed === true ? 1 : 0)),
    bytes: u32(({ bytes }) => bytes ?? 1448),
    parts: u32(({ parts }) => parts ?? 1),
    group: u32(({ fragment }) => fragment?.group ?? NONE),
    groupFrom: u32(({ fragment }) => fragment?.from ?? 0),
    groupTo: u32(({ fragment }) => fragment?.to ?? 0),
    groupBytes: u32(({ fragment }) => fragment?.of ?? 0),
    pieceOf: u32(({ pieceOf }) => pieceOf?.packet ?? NONE),
    pieceNumber: u16(({ pieceOf }) => pieceOf?.number ?? 0),
    pieceCount: u16(({ pieceOf }) => pieceOf?.of ?? 0),
    verdict: u8(({ verdict }) => (verdict === undefined ? NO_WORD : verdicts.indexOf(verdict))),
    dropReason: u8(({ reason }) => (reason === undefined ? NO_WORD : reasons.indexOf(reason))),
    mergedInto: u32(({ into }) => into ?? NONE),
  };
  const contexts = CONTEXTS.split(',');
  const columns: CpuColumns = {
    context: Uint8Array.from(cpus, ({ context }) => contexts.indexOf(context)),
    pid: Uint32Array.from(cpus, ({ pid }) => pid ?? NONE),
    since: Float64Array.from(cpus, () => 0),
    packet: Uint32Array.from(cpus, ({ packet }) => packet ?? NONE),
    detail: Uint32Array.from(cpus, ({ detail }) => detail ?? NONE),
  };
  return {
    time,
    packets,
    cpus: columns,
    queueDepth: Uint32Array.from(queues, ({ depth }) => depth ?? 0),
    queueLimit: Uint32Array.from(queues, ({ limit }) => limit ?? 0),
    counters: {
      delivered: 0,
      merged: 0,
      dropped: 0,
      transmitted: 0,
      consumed: 0,
      bytesDelivered: 0,
      interrupts: 0,
      polls: 0,
      framesPolled: 0,
      crossCpu: 0,
      cacheHandovers: 0,
    },
    machine: NOTHING,
  };
}

const VIEW: View = {
  travel: 0.1,
  filmTo: (time) => time / 1000,
  linger: 200,
  selected: undefined,
  selectedLabel: undefined,
  hovered: undefined,
};

/** The view of a moment, with a second of film for a microsecond of the run. */
export function viewAt(now: number): View {
  return { ...VIEW, filmTo: (time) => (time - now) / 1000 };
}

/** A run laid out on a page of this size, with texts as wide as estimated. */
export function staged(run: Opened, width = 1000, height = 640, textSize = 1): Stage {
  const viewport = { width, height, measure: estimate, textSize };
  return stageOf(run, words, layoutOf(run, words, viewport), estimate);
}

export function shapesOf(
  stage: Stage,
  frame: Frame,
  view: Partial<View> = {},
  past?: Lanes,
): readonly Shape[] {
  return scene(stage, frame, past, { ...viewAt(frame.time), ...view });
}

/** How many entries of the frame the shapes stand for, each counted once. */
export function entriesShown(shapes: readonly Shape[]): number {
  return shapes.reduce((sum, shape) => {
    if (shape.kind === 'capsule') return sum + 1;
    if (shape.kind === 'stack' || shape.kind === 'stream') return sum + shape.count;
    return shape.kind === 'assembly' ? sum + shape.pieces.length : sum;
  }, 0);
}

/** A run of three CPUs, and what they do: one receives, one reads, one is idle. */
export const receiving = runOf([0, 1, 2], [{ kind: 'receive queue', unit: 'bytes', max: 100_000 }]);
export const busy: readonly CpuGiven[] = [
  { context: 'softirq' },
  { context: 'kernel', pid: 534 },
  { context: 'idle' },
];

/** The packet as it is drawn on its own. */
export function capsule(shapes: readonly Shape[], packet: number): CapsuleShape {
  const found = shapes.find((shape) => shape.kind === 'capsule' && shape.packet === packet);
  if (found?.kind !== 'capsule') throw new Error(`packet ${packet} is not drawn as a capsule`);
  return found;
}

/** What the labels say. */
export function texts(shapes: readonly Shape[]): readonly string[] {
  return shapes.flatMap((shape) => (shape.kind === 'label' ? [plain(shape.text)] : []));
}

/** A ring of CPU 0 with so many frames of at most so many: its shapes, its vessel, and how much of it they take. */
export function ringWith(depth: number, limit: number, view: Partial<View> = {}) {
  const queues = [{ kind: 'rx ring', home: 0, max: limit, depth, limit }];
  const given = Array.from({ length: depth }, (_, packet) => ({
    packet,
    at: 'rx ring',
    since: packet,
    until: 90_000,
  }));
  const stage = staged(runOf([0], queues));
  const body = stage.layout.slots.find(({ name }) => name === 'rx ring')?.body;
  if (body === undefined) throw new Error('no ring is drawn');
  const shapes = shapesOf(stage, frameOf(500, given, busy, queues), view);
  const ends = shapes.flatMap((shape) =>
    shape.kind === 'capsule' || shape.kind === 'stack' ? [shape.rect.x + shape.rect.width] : [],
  );
  return { shapes, body, share: (Math.max(...ends) - body.x) / body.width };
}
