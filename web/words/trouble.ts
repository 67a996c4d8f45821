/** What went wrong in the core, in words for the person who sees it; what is said already stays as it is. */
import { defectIn, TROUBLES, type TroubleCode } from '../core/trouble.ts';
import { m } from './generated/messages.js';

const WORDS: Record<TroubleCode, () => string> = {
  [TROUBLES.memory]: m.trouble_memory,
  [TROUBLES.file]: m.trouble_file,
  [TROUBLES.fetch]: m.trouble_fetch,
  [TROUBLES.recording]: m.trouble_recording,
};

export function wordsOf(message: string): string {
  const why = defectIn(message);
  if (why !== undefined) return m.trouble_defect({ why });
  return isCode(message) ? WORDS[message]() : message;
}

function isCode(message: string): message is TroubleCode {
  return message in WORDS;
}
