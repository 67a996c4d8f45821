/**
 * Why the core has no answer, where the machine's own words would tell nobody what happened: a code
 * that goes the same way as any message, and that `web/words/trouble.ts` puts into words; or what the core
 * refuses, as a saying.
 */
import { messageOf } from './message-of.ts';
import type { Saying } from './saying.ts';

export const TROUBLES = {
  /** The memory of the tab or of the module (4 GB) is full. */
  memory: 'core.memory',
  /** A file ended before its end: it is a folder, or it changed, moved or went after it was chosen. */
  file: 'core.file',
  /** The module or its worker did not come from where the page came from. */
  fetch: 'core.fetch',
  /** A scenario comes to more events than are tried out at every change. */
  long: 'core.long',
  /** A recording of the shelf did not. */
  recording: 'core.recording',
} as const;

export type TroubleCode = (typeof TROUBLES)[keyof typeof TROUBLES];

/** Why there is no answer. It goes from the worker to the page within an outcome, as an error would lose the saying. */
export interface Trouble {
  /** What an error says, or one of `TROUBLES`; of a refusal its code. */
  readonly message: string;
  /** Why the core refuses what it was given. */
  readonly refusal?: Saying;
}

/** What a module throws where it refuses what it was given: the saying alone (`boundary/saying`). */
export function isRefusal(thrown: unknown): thrown is Saying {
  return typeof thrown === 'object' && thrown !== null && 'code' in thrown && 'values' in thrown;
}

/** The trouble in what was thrown, whether it went through a worker or not. */
export function troubleIn(thrown: unknown): Trouble {
  if (isRefusal(thrown)) return { message: thrown.code, refusal: thrown };
  return isTrouble(thrown) ? thrown : { message: messageOf(thrown) };
}

function isTrouble(thrown: unknown): thrown is Trouble {
  return typeof thrown === 'object' && thrown !== null && 'message' in thrown;
}

/** The outcome of what threw this. */
export function failed(thrown: unknown): { readonly kind: 'failed' } & Trouble {
  const { message, refusal } = troubleIn(thrown);
  return { kind: 'failed', message, ...(refusal && { refusal }) };
}

/** The trouble as an error, for who catches such. */
export function errorOf(trouble: Trouble): Error & Trouble {
  return Object.assign(new Error(trouble.message), trouble);
}

/** Before the words of a check within the core that did not hold. */
const DEFECT = 'core.defect: ';

/** A trap leaves wasm in the middle of what it did: nothing it says afterwards can be trusted. */
export function isTrap(error: unknown): error is Error {
  return error instanceof Error && error.name === 'RuntimeError';
}

/**
 * What a trap is told as. Of a check that did not hold the core has noted the words; a trap without
 * such words comes from its allocator, which got no more memory.
 */
export function trapOf(noted: string | undefined): Error {
  const error = new Error(noted === undefined ? TROUBLES.memory : DEFECT + noted);
  error.name = 'RuntimeError';
  return error;
}

/** The words of the check that did not hold, if a message is of one. */
export function defectIn(message: string): string | undefined {
  return message.startsWith(DEFECT) ? message.slice(DEFECT.length) : undefined;
}
