/**
 * Why the core has no answer, where the machine's own words would tell nobody what happened: a code
 * that goes the same way as any message, and that `web/words/trouble.ts` puts into words.
 */
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
  /** Frames are to be saved of a recording whose link nobody captured. */
  frames: 'core.frames',
} as const;

export type TroubleCode = (typeof TROUBLES)[keyof typeof TROUBLES];

/** How the core says `frames` (core/src/export/pcapng.rs). */
const NO_FRAMES = 'no frame of the link is in this recording';

/** The code of what the core refused, where it has one; every other error as it is. */
export function refusalOf(error: Error): Error {
  return error.message.startsWith(NO_FRAMES) ? new Error(TROUBLES.frames) : error;
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
