/**
 * The bytes of a file, in the pieces in which the browser reads them. What a file is, and what a piece is wanted for, is
 * not known here.
 */
import { isTrap, TROUBLES } from './trouble.ts';

/** Passes on what is read of a file while it is wanted. False where it cannot be read to its end. */
export async function feed(data: Blob, push: (chunk: Uint8Array) => boolean): Promise<boolean> {
  const reader = data.stream().getReader();
  for (;;) {
    const next = await reader.read().catch(() => undefined);
    if (next === undefined) return false;
    if (next.done) return true;
    if (!push(next.value)) {
      await reader.cancel();
      return true;
    }
  }
}

/** What came of files of which one could not be read to its end; where that is not enough, this is why. */
export function ofBroken<T>(finish: () => T): T {
  try {
    return finish();
  } catch (error) {
    throw isTrap(error) ? error : new Error(TROUBLES.file);
  }
}
