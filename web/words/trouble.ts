/** What went wrong, in words for the person who sees it; what is said already stays as it is. */
import { messageOf } from '../core/message-of.ts';
import { defectIn, TROUBLES, type TroubleCode } from '../core/trouble.ts';
import { m } from './generated/messages.js';

const WORDS: Record<TroubleCode, () => string> = {
  [TROUBLES.memory]: m.trouble_memory,
  [TROUBLES.file]: m.trouble_file,
  [TROUBLES.fetch]: m.trouble_fetch,
  [TROUBLES.long]: m.trouble_long,
  [TROUBLES.recording]: m.trouble_recording,
};

/** An error or its message, whatever was thrown. */
export function troubleOf(error: unknown): string {
  const message = isUnfetched(error) ? TROUBLES.fetch : messageOf(error);
  const why = defectIn(message);
  if (why !== undefined) return m.trouble_defect({ why });
  return isCode(message) ? WORDS[message]() : message;
}

function isCode(message: string): message is TroubleCode {
  return Object.hasOwn(WORDS, message);
}

/** Whether a part of the page did not come. Each browser has words of its own for it; vite has, too. */
function isUnfetched(error: unknown): boolean {
  if (error instanceof TypeError) return /import|fetch/i.test(error.message);
  return error instanceof Error && error.message.startsWith('Unable to preload');
}
