/**
 * The only path by which keys, buttons, the palette, lessons and undo change the view. Watchers are told
 * what was done, and guards may refuse it with a sentence; they do not know each other.
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

/** A command that was executed, for watchers; `after` only if it changed nothing but the view. */
export interface Done {
  readonly id: string;
  readonly before: ViewState;
  readonly after: ViewState | undefined;
}

/** Refuses a command with a sentence for the viewer; `undefined` allows it. */
export type Guard = (id: string, before: ViewState) => string | undefined;
export type Watcher = (done: Done) => void;

export class Dispatcher {
  readonly #ringside: Ringside;
  readonly #verbs: Commands;
  readonly #announcer: Announcer;
  readonly #guards = new Set<Guard>();
  readonly #watchers = new Set<Watcher>();

  constructor(ringside: Ringside, verbs: Commands) {
    this.#ringside = ringside;
    this.#verbs = verbs;
    this.#announcer = ringside.announcer;
  }

  /** The whole current view. */
  get view(): ViewState {
    return wholeView(this.#ringside);
  }

  /** Executes a command by its id. False if it does not apply or was refused. */
  do(id: CommandId): boolean {
    const command = commandOf(id);
    if (!this.isOffered(command)) {
      const sentence = command.otherwise?.(this.view, this.#facts());
      if (sentence !== undefined) this.#announcer.refuse(sentence);
      return false;
    }
    return this.#pass(id, command.does);
  }

  /** Changes the view other than by a command: a lesson's step, a packet that was pointed at. */
  change(id: string, change: Change['change']): boolean {
    return this.#pass(id, { kind: 'view', change });
  }

  /** Sets some fields of the view; a field that is `undefined` is removed. */
  put(id: string, patch: Patch): boolean {
    return this.change(id, (view) => patched(view, patch));
  }

  /** Goes to a time of the run; in told film to where that time begins. */
  seek(time: Nanos): boolean {
    return this.put('seek', { time, dwelt: undefined });
  }

  /** Goes to a time, with the packet concerned. */
  visit(time: Nanos, packet?: PacketId): void {
    if (packet === undefined) this.seek(time);
    else void this.follow(packet, time);
  }

  /**
   * Follows a packet: it is chosen at once, and play head and time line come to it as soon as its
   * journey is known. False where that was refused.
   *
   * @param moment where to look; unless told, where the play head is if that is within its journey
   * @param along what of the view is to change with it
   */
  async follow(packet: PacketId, moment?: Nanos, along: Patch = {}): Promise<boolean> {
    const { session, selection } = this.#ringside;
    const { handle } = session;
    if (handle === undefined) return false;
    if (!this.put('packet', { packet, ...along })) return false;
    const journey = await handle.journey(packet).catch(unlessGone);
    // Another run was opened, or another packet selected, meanwhile.
    if (journey === undefined || session.handle !== handle || selection.packet !== packet) {
      return false;
    }
    const isDone = this.change('follow', withFollowed(packet, journey, moment));
    // The told film follows the packet that the viewer selected.
    if (isDone) await this.#ringside.playhead.tellOf(packet).catch(unlessGone);
    return isDone;
  }

  /** Executes an effect that needs an argument, such as the fold to open. */
  effect(id: string, run: Effect['run']): boolean {
    return this.#pass(id, { kind: 'effect', run });
  }

  /** Changes a setting of the viewer. */
  choose(choices: Partial<Choices>): boolean {
    return this.effect('settings', (to) => to.choose(choices));
  }

  /** Whether a command applies now. */
  isOffered({ when }: Command): boolean {
    return when === undefined || when(this.view, this.#facts());
  }

  /** Adds a guard, which is asked before each command; returns its removal. */
  guard(guard: Guard): () => void {
    this.#guards.add(guard);
    return () => this.#guards.delete(guard);
  }

  /** Adds a watcher, which is told of each command; returns its removal. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  #pass(id: string, does: Change | Effect): boolean {
    const before = this.view;
    for (const guard of this.#guards) {
      const refusal = guard(id, before);
      if (refusal === undefined) continue;
      this.#announcer.refuse(refusal);
      return false;
    }
    this.#announcer.takeBackRefusal();
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
    return {
      run,
      duration: run?.duration ?? 0,
      offered,
      isLesson: view.lesson !== undefined,
    };
  }
}

function commandOf(id: CommandId): Command {
  const command = COMMANDS.find((one) => one.id === id);
  if (command === undefined) throw new Error(`there is no command “${id}”`);
  return command;
}
