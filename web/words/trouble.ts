/** What went wrong, in words for the person who sees it; what is said already stays as it is. */
import { defectIn, troubleIn, TROUBLES, type TroubleCode } from '../core/trouble.ts';
import { formatRoundNanos } from '../numbers/format.ts';
import { m } from './generated/messages.js';
import { sayAlone } from './say.ts';

const WORDS: Record<TroubleCode, () => string> = {
  [TROUBLES.memory]: m.trouble_memory,
  [TROUBLES.file]: m.trouble_file,
  [TROUBLES.fetch]: m.trouble_fetch,
  [TROUBLES.long]: m.trouble_long,
  [TROUBLES.recording]: m.trouble_recording,
};

/** What was thrown, the trouble of an outcome, or a message alone. */
export function troubleOf(error: unknown): string {
  if (isUnfetched(error)) return m.trouble_fetch();
  const { message, refusal } = troubleIn(error);
  if (refusal !== undefined) return sayAlone(refusal);
  const why = defectIn(message);
  if (why !== undefined) return m.trouble_defect({ why });
  return isCode(message) ? WORDS[message]() : (durationIn(message) ?? message);
}

/** What the core says of a scenario's duration, in the words of the field that is empty or holds what none may. */
function durationIn(message: string): string | undefined {
  if (message === 'duration_us is missing')
    return m.lab_refused_field({ title: m.lab_duration(), problem: m.lab_duration_missing() });
  const [, from, to] =
    /^duration_us is .+, must be a whole number from (\d+) to (\d+)$/.exec(message) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const [least, most] = [from, to].map((micros) => formatRoundNanos(Number(micros) * 1000));
  const bounds = m.from_to({ from: least ?? from, to: most ?? to });
  return m.lab_refused_field({
    title: m.lab_duration(),
    problem: m.lab_duration_bounds({ bounds }),
  });
}

function isCode(message: string): message is TroubleCode {
  return Object.hasOwn(WORDS, message);
}

/** Whether a part of the page did not come. Each browser has words of its own for it; vite has, too. */
function isUnfetched(error: unknown): boolean {
  if (error instanceof TypeError) return /import|fetch/i.test(error.message);
  return error instanceof Error && error.message.startsWith('Unable to preload');
}
