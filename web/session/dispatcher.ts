/**
 * The one door through which the view is changed by keys, buttons, the palette, lessons and undo. A
 * port may watch what is done, or refuse it with a sentence; none knows of another.
 */
import type { Nanos, PacketId } from '../core/core.ts';
import { unlessGone } from '../core/run.ts';
import { offeredViews } from '../scene/views/offered.ts';
import type { Announcer } from './announcer.svelte.ts';
import type { Change, Command, Effect, Facts } from './command.ts';
import { COMMANDS, type CommandId } from './command-list.ts';
import type { Choices } from './choices.ts';
import type { Commands } from './commands.ts';
import type { Ringside } from './context.ts';
import { putView } from './put-view.ts';
import { wholeView } from './snapshot.ts';
import type { ViewState } from './view-state.ts';
import { patched, withFollowed, within, type Patch } from './view-changes.ts';

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

  /** All that is looked at, as it is now. */
  get view(): ViewState {
    return wholeView(this.#ringside);
  }

  /** Does a command of the list. False where it means nothing here or was refused. */
  do(id: CommandId): boolean {
    const command = commandOf(id);
    if (!this.isOffered(command)) {
      const sentence = command.otherwise?.(this.view, this.#facts());
      if (sentence !== undefined) this.#announcer.say(sentence);
      return false;
    }
    return this.#pass(id, command.does);
  }

  /** Changes the view as no command of the list does: a lesson's step, a packet that is pointed at. */
  change(id: string, change: Change['change']): boolean {
    return this.#pass(id, { kind: 'view', change });
  }

  /** Puts some fields of the view, as a pointer does; a field that is undefined is taken out. */
  put(id: string, patch: Patch): boolean {
    return this.change(id, (view) => patched(view, patch));
  }

  /** To a moment of the run; in told film to where it begins. */
  seek(time: Nanos): boolean {
    return this.put('seek', { time, dwelt: undefined });
  }

  /** To a moment, with the packet that it is about. */
  visit(time: Nanos, packet?: PacketId): void {
    if (packet === undefined) this.seek(time);
    else void this.follow(packet, time);
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
    if (!this.put('packet', { packet })) return false;
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

  /** Sets something that is the viewer's own. */
  choose(choices: Partial<Choices>): boolean {
    return this.effect('settings', (to) => to.choose(choices));
  }

  /** Whether a command means something here. */
  isOffered({ when }: Command): boolean {
    return when === undefined || when(this.view, this.#facts());
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
    const before = this.view;
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

function commandOf(id: CommandId): Command {
  const command = COMMANDS.find((one) => one.id === id);
  if (command === undefined) throw new Error(`there is no command “${id}”`);
  return command;
}
