/**
 * A port on the dispatcher: a run that answers no more has one picture left, so nothing of it plays
 * or steps, and the viewer is told what leads on.
 */
import { m } from '../words/generated/messages.js';
import type { Dispatcher } from './dispatcher.ts';
import type { Session } from './session.svelte.ts';

/** What would ask the run for another moment. */
const MOVES = /^(?:play|step|seek|finding|window\.(?:film|view))\b/;

export function guardCrashed(dispatcher: Dispatcher, session: Session): () => void {
  return dispatcher.guard((id) =>
    session.crash !== undefined && MOVES.test(id)
      ? m.said_run_gone({ name: session.crash.name })
      : undefined,
  );
}
