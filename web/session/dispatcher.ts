/**
 * The one door through which the view is changed by keys, buttons, the palette, lessons and undo. A
 * port may watch what is done, or refuse it with a sentence; none knows of another.
 */
import type { Nanos, PacketId } from '../core/core.ts';
import { RunGone } from '../core/run.ts';
import { offeredViews } from '../scene/views/offered.ts';
import type { Announcer } from './announcer.svelte.ts';
import type { Change, Command, Effect, Facts } from './command.ts';
import { COMMANDS, type CommandId } from './command-list.ts';
import type { Commands } from './commands.ts';
import type { Ringside } from './context.ts';
import { putView } from './put-view.ts';
import { takeView } from './snapshot.ts';
import type { ViewState } from './view-state.ts';
import { withFollowed, within } from './view-changes.ts';

/** What was done, to those who watch; `after` where it changed the view and nothing else. */
export interface Done {
  readonly id: string;
  readonly before: ViewState;
  readonly after: ViewState | undefined;
}

/** Refuses a command with a sentence for the viewer; nothing lets it pass. */
export type Guard = (id: string, before: ViewState) => string | undefined;
export type Watcher = (done: Done) => void;

export class Dispatcher {
  readonly #ringside: Ringside;
  readonly #verbs: Commands;
  readonly #announcer: Announcer;
  readonly #guards = new Set<Guard>();
  readonly #watchers = new Set<Watcher>();

  constructor(ringside: Ringside, verbs: Commands, announcer: Announcer) {
    this.#ringside = ringside;
    this.#verbs = verbs;
    this.#announcer = announcer;
  }

  /** Does a command of the list. False where it means nothing here or was refused. */
  do(id: CommandId): boolean {
    const command = commandOf(id);
    if (!this.isOffered(command)) {
      const sentence = command.otherwise?.(takeView(this.#ringside), this.#facts());
      if (sentence !== undefined) this.#announcer.say(sentence);
      return false;
    }
    return this.#pass(id, command.does);
  }

  /** Changes the view as no command of the list does: a lesson's step, a packet that is pointed at. */
  change(id: string, change: Change['change']): boolean {
    return this.#pass(id, { kind: 'view', change });
  }

  /**
   * Follows a packet: it is chosen at once, and play head and time line come to it as soon as its
   * journey is known. False where that was refused.
   *
   * @param moment where to look; unless told, where the play head is if that is within its journey
   */
  async follow(packet: PacketId, moment?: Nanos): Promise<boolean> {
    const { session, selection } = this.#ringside;
    const { handle } = session;
    if (handle === undefined) return false;
    selection.select(packet);
    const journey = await handle.journey(packet).catch(unlessGone);
    // Another run has come, or another packet was chosen meanwhile.
    if (journey === undefined || session.handle !== handle || selection.packet !== packet) {
      return false;
    }
    const isDone = this.change('follow', withFollowed(packet, journey, moment));
    // The film is told from the packet that the viewer wants to see.
    if (isDone) await this.#ringside.playhead.tellOf(packet).catch(unlessGone);
    return isDone;
  }

  /** Does something that needs more than an id: a fold that is opened, by which fold. */
  effect(id: string, run: Effect['run']): boolean {
    return this.#pass(id, { kind: 'effect', run });
  }

  /** Whether a command means something here. */
  isOffered({ when }: Command): boolean {
    return when === undefined || when(takeView(this.#ringside), this.#facts());
  }

  /** From now on this port is asked before anything is done, until it leaves. */
  guard(guard: Guard): () => void {
    this.#guards.add(guard);
    return () => this.#guards.delete(guard);
  }

  /** From now on this port is told of everything that was done, until it leaves. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  #pass(id: string, does: Change | Effect): boolean {
    const before = takeView(this.#ringside);
    for (const guard of this.#guards) {
      const refusal = guard(id, before);
      if (refusal === undefined) continue;
      this.#announcer.say(refusal);
      return false;
    }
    const after = does.kind === 'view' ? this.#change(does, before) : undefined;
    if (does.kind === 'effect') does.run(this.#verbs);
    for (const watcher of this.#watchers) watcher({ id, before, after });
    return true;
  }

  #change({ change, say }: Change, before: ViewState): ViewState {
    const facts = this.#facts();
    const after = within(change(before, facts), facts);
    putView(this.#ringside, before, after);
    const sentence = say?.(after, before, facts);
    if (sentence !== undefined) this.#announcer.say(sentence);
    return after;
  }

  #facts(): Facts {
    const { session, view } = this.#ringside;
    const { run, glossary } = session;
    const offered = run && glossary ? offeredViews(run, glossary, view.stageView) : [];
    return { run, duration: run?.duration ?? 0, offered };
  }
}

/** A question about a run that has left the stage needs no answer. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof RunGone)) throw error;
}

function commandOf(id: CommandId): Command {
  const command = COMMANDS.find((one) => one.id === id);
  if (command === undefined) throw new Error(`there is no command “${id}”`);
  return command;
}
