/**
 * A guard of the dispatcher: a run that has lost its worker has only its last frame, so commands that play
 * or step are refused with a sentence that says how to continue.
 */
import { m } from '../words/generated/messages.js';
import type { Dispatcher } from './dispatcher.ts';
import type { Session } from './session.svelte.ts';

/** Commands that would ask the run for another moment. */
const MOVES = /^(?:play|step|seek|finding|window\.(?:film|view))\b/;

export function guardCrashed(dispatcher: Dispatcher, session: Session): () => void {
  return dispatcher.guard((id) =>
    session.crash !== undefined && MOVES.test(id)
      ? m.said_run_gone({ name: session.crash.name })
      : undefined,
  );
}
