/**
 * A second run (B) beside the one on the stage (A), on the same clock. The core pairs their packets and
 * finds where two of a pair part. B is closed when another run takes the stage.
 */
import type { Abreast, Parting } from '../core/abreast.ts';
import {
  NONE,
  type Core,
  type Input,
  type Nanos,
  type Outcome,
  type PacketId,
  type Stretch,
} from '../core/core.ts';
import { failed, troubleIn, type Trouble } from '../core/trouble.ts';
import type { Comparison, Figures } from '../core/figures.ts';
import type { RunHandle } from '../core/run.ts';
import type { Session, Source } from './session.svelte.ts';

/** Maximum events of a run for pairing packets, which takes as much memory as the runs do. */
const MOST_EVENTS = 2_000_000;

/** The second run. */
interface Second {
  /** The run on the stage when it was opened. */
  readonly of: RunHandle;
  readonly handle: RunHandle;
  readonly source: Source;
  /** The pairing of packets; `undefined` if the runs are too long. */
  readonly abreast: Abreast | undefined;
}

/** The results of two runs. */
export interface Compared {
  readonly figures: readonly [a: Figures, b: Figures];
  /** From A to B. */
  readonly comparison: Comparison;
}

export class Beside {
  readonly #core: Core;
  readonly #session: Session;
  #second = $state.raw<Second>();
  #opening = $state.raw<{ readonly of: RunHandle; readonly name: string }>();
  #failure = $state.raw<{ readonly of: RunHandle; readonly trouble: Trouble }>();
  /** Index of the parting that was visited last. */
  #at = $state<number>();
  /** Which run is shown if there is room for only one. */
  #front = $state<'a' | 'b'>('a');
  /** A selected packet that exists only in B. */
  #own = $state<PacketId>();
  /** Ends the run that is being made. */
  #abort = new AbortController();

  constructor(core: Core, session: Session) {
    this.#core = core;
    this.#session = session;
    session.whenTaken(() => this.close());
  }

  get #current(): Second | undefined {
    return this.#second?.of === this.#session.handle ? this.#second : undefined;
  }
  get handle(): RunHandle | undefined {
    return this.#current?.handle;
  }
  get source(): Source | undefined {
    return this.#current?.source;
  }
  get abreast(): Abreast | undefined {
    return this.#current?.abreast;
  }
  /** The title of the run that is being opened. */
  get opening(): string | undefined {
    return this.#opening?.of === this.#session.handle ? this.#opening?.name : undefined;
  }
  get failure(): Trouble | undefined {
    return this.#failure?.of === this.#session.handle ? this.#failure?.trouble : undefined;
  }
  get front(): 'a' | 'b' {
    return this.#front;
  }
  /** Whether a second run is shown, or a message in its place. */
  get isThere(): boolean {
    return (this.handle ?? this.opening ?? this.failure) !== undefined;
  }

  /** The partings to step through: the first of all, then one for each packet, by time. */
  get partings(): readonly Parting[] {
    const { abreast } = this;
    if (abreast === undefined) return [];
    return abreast.first?.kind === 'time' ? [abreast.first, ...abreast.partings] : abreast.partings;
  }
  /** The first parting of a packet that is in both runs. */
  get firstPair(): (Parting & { readonly packets: readonly [PacketId, PacketId] }) | undefined {
    const isPair = (one: Parting): one is Parting & { readonly packets: [PacketId, PacketId] } =>
      one.packets.every((packet) => packet !== undefined);
    return this.partings.find(isPair);
  }
  /** Number of partings, which may exceed those that can be visited. */
  get total(): number {
    const { abreast } = this;
    return (abreast?.total ?? 0) + (abreast?.first?.kind === 'time' ? 1 : 0);
  }
  /** Index of the visited parting, from 0. */
  get at(): number | undefined {
    return this.handle === undefined ? undefined : this.#at;
  }

  bringForward(run: 'a' | 'b'): void {
    this.#front = run;
  }

  /** The time of B at a time of A. */
  timeOf(time: Nanos): Nanos {
    return time - (this.abreast?.shift ?? 0);
  }

  /** The time of A at a time of B; nothing where A has not begun then, or is over. */
  clockOf(time: Nanos): Nanos | undefined {
    const at = time + (this.abreast?.shift ?? 0);
    const duration = this.#current?.of.opened.duration ?? 0;
    return 0 <= at && at <= duration ? at : undefined;
  }

  /** The counterpart of a packet in the other run; `side` is the run that it is in, 0 for A. */
  likeOf(packet: PacketId | undefined, side: 0 | 1): PacketId | undefined {
    const like = packet === undefined ? undefined : this.abreast?.likes[side][packet];
    return like === NONE ? undefined : like;
  }

  /** The selected packet of B: the counterpart of A's selected packet, else one that exists only in B. */
  selected(inStage: PacketId | undefined): PacketId | undefined {
    return inStage === undefined ? this.#own : this.likeOf(inStage, 0);
  }

  /** Selects a packet of B without a counterpart in A. */
  select(packet: PacketId | undefined): void {
    this.#own = packet;
  }

  /**
   * The first parting of all, and from then on the next one after a time or the previous one before it (0: the
   * first again); those of one moment one by one.
   */
  turn(by: 1 | 0 | -1, time: Nanos): Parting | undefined {
    const { partings } = this;
    const here = this.#at === undefined || by === 0 ? undefined : partings[this.#at];
    const isHere = here !== undefined && Math.abs(here.at - time) < 1;
    const next = isHere
      ? (this.#at ?? 0) + by
      : here === undefined
        ? 0
        : by > 0
          ? partings.findIndex(({ at }) => at > time)
          : partings.findLastIndex(({ at }) => at < time);
    const found = partings[next];
    if (found === undefined) return undefined;
    this.#at = next;
    this.#own = found.packets[1];
    return found;
  }

  /**
   * What came out of both runs, and what differs in B: of all of them, or of a stretch of A and the same
   * of B. Nothing while no run stands beside.
   */
  async compared(range: Stretch | undefined, signal: AbortSignal): Promise<Compared | undefined> {
    const second = this.#current;
    if (second === undefined) return undefined;
    const { duration } = second.handle.opened;
    const there = (time: Nanos) => Math.min(Math.max(0, this.timeOf(time)), duration);
    const inB = range && { from: there(range.from), to: there(range.to) };
    const figures = await Promise.all([
      second.of.until(signal).figures(range, true),
      second.handle.until(signal).figures(inB, true),
    ]);
    const [a, b] = figures;
    return { figures, comparison: await this.#core.compare([a], [b]) };
  }

  /** Runs a scenario (compact JSON) beside the run on the stage. True once it stands there. */
  simulate(scenario: string, title: string): Promise<boolean> {
    const { texts } = this.#session.machines;
    return this.#open({ kind: 'simulated', scenario, title }, (signal) =>
      this.#core.simulate(scenario, () => undefined, texts, signal),
    );
  }

  /** Opens a recording beside the run on the stage. */
  open(inputs: readonly Input[] | Promise<readonly Input[]>, source: Source): Promise<boolean> {
    return this.#open(source, async (signal) =>
      this.#core.open(await inputs, () => undefined, undefined, signal),
    );
  }

  close(): void {
    this.#abort.abort();
    this.#second?.handle.close();
    this.#second = undefined;
    this.#opening = undefined;
    this.#failure = undefined;
    this.#front = 'a';
    this.#at = undefined;
    this.#own = undefined;
  }

  async #open(
    source: Source,
    make: (signal: AbortSignal) => Promise<Outcome<RunHandle>>,
  ): Promise<boolean> {
    const of = this.#session.handle;
    if (of === undefined) return false;
    this.close();
    const { signal } = (this.#abort = new AbortController());
    this.#opening = { of, name: source.title };
    const outcome = await make(signal).catch(failed);
    const handle = outcome.kind === 'ok' ? outcome.value : undefined;
    try {
      const abreast = handle && (await this.#layBeside(of, handle));
      if (signal.aborted) return false;
      if (handle !== undefined) this.#take({ of, handle, source, abreast });
      if (outcome.kind === 'failed') this.#failure = { of, trouble: outcome };
    } catch (error) {
      handle?.close();
      if (!signal.aborted) this.#failure = { of, trouble: troubleIn(error) };
    } finally {
      if (!signal.aborted) this.#opening = undefined;
      else handle?.close();
    }
    return this.handle !== undefined && this.handle === handle;
  }

  #take(second: Second): void {
    this.#second = second;
    const { of, handle } = second;
    void handle.broken.then((message) => {
      if (this.#second !== second) return;
      this.close();
      this.#failure = { of, trouble: { message } };
    });
  }

  async #layBeside(a: RunHandle, b: RunHandle): Promise<Abreast | undefined> {
    if (Math.max(a.opened.events, b.opened.events) > MOST_EVENTS) return undefined;
    const [first, second] = await Promise.all([a.routes(), b.routes()]);
    return this.#core.abreast(first, second);
  }
}
