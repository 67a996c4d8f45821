/**
 * Cuts the packed columns of the core into typed arrays. Each column is its length and
 * then its values; the order is that of wasm-core/boundary/reader/src/session.rs.
 */
import type { Abreast } from './abreast.ts';
import type { CpuLane, Lanes, QueueLane } from './lanes.ts';
import type { EventRows, Pass, Step } from './run.ts';
import type { Finding } from './findings.ts';
import type { Frame } from './frame.ts';
import type { AbreastView, FindingView, SayingView } from './generated/reader.js';
import type { Saying, SayingValue } from './saying.ts';
import type { JourneyRows, LongestWaits } from './journeys.ts';
import type { LayerTimes } from './measures.ts';
import type { MachineColumns } from './machine.ts';
import { NONE } from './core.ts';
import type { Told } from './told.ts';

class Columns {
  readonly #packed: Float64Array;
  #at = 0;

  constructor(packed: Float64Array) {
    this.#packed = packed;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#packed.length;
  }

  f64(): Float64Array {
    const length = this.#packed[this.#at] ?? 0;
    const from = this.#at + 1;
    this.#at = from + length;
    return this.#packed.slice(from, this.#at);
  }

  u32(): Uint32Array {
    return Uint32Array.from(this.#next());
  }

  u16(): Uint16Array {
    return Uint16Array.from(this.#next());
  }

  u8(): Uint8Array {
    return Uint8Array.from(this.#next());
  }

  /** A column of one value. */
  one(): number {
    return this.f64()[0] ?? 0;
  }

  #next(): Float64Array {
    const length = this.#packed[this.#at] ?? 0;
    const from = this.#at + 1;
    this.#at = from + length;
    return this.#packed.subarray(from, this.#at);
  }
}

export function unpackFrame(packed: Float64Array): Frame {
  const columns = new Columns(packed);
  return {
    time: columns.one(),
    packets: {
      packet: columns.u32(),
      piece: columns.u32(),
      station: columns.u8(),
      cpu: columns.u16(),
      context: columns.u8(),
      since: columns.f64(),
      ready: columns.f64(),
      until: columns.f64(),
      nextStation: columns.u8(),
      nextCpu: columns.u16(),
      placeCpu: columns.u16(),
      nextPlaceCpu: columns.u16(),
      queue: columns.u32(),
      nextQueue: columns.u32(),
      isServed: columns.u8(),
      bytes: columns.u32(),
      parts: columns.u32(),
      group: columns.u32(),
      groupFrom: columns.u32(),
      groupTo: columns.u32(),
      groupBytes: columns.u32(),
      pieceOf: columns.u32(),
      pieceNumber: columns.u16(),
      pieceCount: columns.u16(),
      verdict: columns.u8(),
      dropReason: columns.u8(),
      mergedInto: columns.u32(),
    },
    cpus: {
      context: columns.u8(),
      pid: columns.u32(),
      since: columns.f64(),
      packet: columns.u32(),
      detail: columns.u32(),
    },
    queueDepth: columns.u32(),
    queueLimit: columns.u32(),
    counters: unpackCounters(columns.f64()),
    machine: unpackMachine(columns),
  };
}

function unpackCounters(values: Float64Array): Frame['counters'] {
  const at = (place: number): number => values[place] ?? 0;
  return {
    delivered: at(0),
    merged: at(1),
    dropped: at(2),
    transmitted: at(3),
    consumed: at(4),
    bytesDelivered: at(5),
    interrupts: at(6),
    polls: at(7),
    framesPolled: at(8),
    crossCpu: at(9),
    cacheHandovers: at(10),
  };
}

function unpackMachine(columns: Columns): MachineColumns {
  const held = {
    cache: columns.u16(),
    object: columns.u16(),
    lines: columns.u32(),
    modified: columns.u32(),
    exclusive: columns.u32(),
    shared: columns.u32(),
    invalidated: columns.u32(),
  };
  const flows = {
    from: columns.u16(),
    to: columns.u16(),
    lines: columns.f64(),
    cycles: columns.f64(),
    recentLines: columns.f64(),
    recentCycles: columns.f64(),
  };
  const moves = {
    from: columns.u16(),
    to: columns.u16(),
    object: columns.u16(),
    lines: columns.u32(),
    cycles: columns.u32(),
    at: columns.f64(),
  };
  const fills = { cpu: columns.u16(), lines: columns.f64(), cycles: columns.f64() };
  const copies = {
    cpu: columns.u16(),
    packet: columns.u32(),
    start: columns.f64(),
    end: columns.f64(),
    interrupted: columns.f64(),
    from: columns.u16(),
    movedLines: columns.u32(),
    movedCycles: columns.u32(),
    filledLines: columns.u32(),
    filledCycles: columns.u32(),
  };
  const locks = { lock: columns.u32(), holder: columns.u16() };
  const spins = { lock: columns.u32(), cpu: columns.u16(), since: columns.f64() };
  const [lockWaits = 0, lockWaited = 0] = columns.f64();
  const tasks = {
    pid: columns.u32(),
    left: columns.f64(),
    preempted: columns.u32(),
    preemptedAt: columns.f64(),
  };
  const waits = {
    cpu: columns.u16(),
    pid: columns.u32(),
    since: columns.f64(),
    why: columns.u8(),
    by: columns.u32(),
    place: columns.u16(),
    standing: columns.u8(),
    amount: columns.f64(),
  };
  const timers = { since: columns.f64(), until: columns.f64(), held: columns.u32() };
  const costs = {
    cpu: columns.u16(),
    nanos: columns.f64(),
    recent: columns.f64(),
    probes: columns.f64(),
  };
  return {
    held,
    flows,
    moves,
    fills,
    copies,
    locks,
    spins,
    lockWaits,
    lockWaited,
    tasks,
    waits,
    timers,
    costs,
  };
}

export function unpackLanes(packed: Float64Array): Lanes {
  const columns = new Columns(packed);
  const [from = 0, to = 0] = columns.f64();
  const [cpuCount = 0, queueCount = 0] = columns.f64();
  const cpus: CpuLane[] = [];
  for (let cpu = 0; cpu < cpuCount; cpu += 1) {
    cpus.push({
      cpu: columns.one(),
      start: columns.f64(),
      context: columns.u8(),
      pid: columns.u32(),
    });
  }
  const queues: QueueLane[] = [];
  for (let queue = 0; queue < queueCount; queue += 1) {
    queues.push({ queue, start: columns.f64(), depth: columns.u32() });
  }
  return {
    from,
    to,
    cpus,
    queues,
    drops: columns.f64(),
    deliveredPerStep: columns.u32(),
    arrivedPerStep: columns.u32(),
  };
}

export function unpackStep(packed: Float64Array): Step | undefined {
  const [time, packet, event] = packed;
  if (time === undefined || packet === undefined || event === undefined) return undefined;
  return { time, packet, event };
}

/** Nothing where the core answers only that there is none. */
export function unpackPass(packed: Float64Array): Pass | undefined {
  const [count, number, event, time, packet] = packed;
  if (count === undefined || number === undefined || event === undefined) return undefined;
  return { count, number, event, time: time ?? 0, packet: packet ?? NONE };
}

export function unpackRows(packed: Float64Array, name: readonly string[]): JourneyRows {
  const columns = new Columns(packed);
  return {
    id: columns.u32(),
    start: columns.f64(),
    duration: columns.f64(),
    service: columns.f64(),
    wait: columns.f64(),
    bytes: columns.u32(),
    parts: columns.u32(),
    verdict: columns.u8(),
    dropReason: columns.u8(),
    direction: columns.u8(),
    flow: columns.u32(),
    firstCpu: columns.u16(),
    lastCpu: columns.u16(),
    name,
  };
}

/** The packets that waited longest, each with its wait. */
export function unpackWaits(packed: Float64Array): LongestWaits {
  const columns = new Columns(packed);
  return { packet: columns.u32(), from: columns.f64(), nanos: columns.f64() };
}

export function unpackEvents(
  packed: Float64Array,
  details: readonly string[],
  namesOf: (packets: Uint32Array) => readonly string[],
): EventRows {
  const columns = new Columns(packed);
  const rows = {
    total: columns.one(),
    index: columns.u32(),
    time: columns.f64(),
    probe: columns.u8(),
    cpu: columns.u16(),
    context: columns.u8(),
    packet: columns.u32(),
    details,
  };
  return { ...rows, name: namesOf(rows.packet) };
}

export function unpackLayerTimes(packed: Float64Array): LayerTimes {
  const columns = new Columns(packed);
  const every = columns.one();
  const layers = [];
  while (!columns.isAtEnd) {
    const [from = 0, to = 0] = columns.f64();
    layers.push({
      name: `${String(from)} to ${String(to)}`,
      packet: columns.u32(),
      nanos: columns.f64(),
    });
  }
  return { every, layers };
}

export function unpackTold(packed: Float64Array): Told {
  const columns = new Columns(packed);
  const opensWith = columns.one();
  return {
    opensWith: opensWith === NONE ? undefined : opensWith,
    opensAt: columns.one(),
    pieces: { film: columns.f64(), time: columns.f64(), kind: columns.u8() },
    actors: { film: columns.f64(), packet: columns.u32() },
    beats: {
      film: columns.f64(),
      time: columns.f64(),
      packet: columns.u32(),
    },
    captions: { film: columns.f64(), beat: columns.u32() },
  };
}

export function unpackFindings(findings: readonly FindingView[]): readonly Finding[] {
  return findings.map((finding) => ({
    ...finding,
    packet: finding.packet,
    title: unpackSaying(finding.title),
    detail: unpackSaying(finding.detail),
  }));
}

export function unpackAbreast({ likes, ...both }: AbreastView): Abreast {
  const columns = new Columns(Float64Array.from(likes));
  return { ...(both as Omit<Abreast, 'likes'>), likes: [columns.u32(), columns.u32()] };
}

/** The core's map of values comes as a Map, whatever the generated type calls it. */
function unpackSaying(saying: SayingView): Saying {
  const values = saying.values as unknown as ReadonlyMap<string, SayingValue>;
  return { ...saying, values: Object.fromEntries(values) };
}
