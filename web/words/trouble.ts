/** What went wrong, in words for the person who sees it; what is said already stays as it is. */
import { nameIn, type Saying } from '../core/saying.ts';
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
  if (refusal !== undefined) return refusalWord(refusal);
  const why = defectIn(message);
  if (why !== undefined) return m.trouble_defect({ why });
  return isCode(message) ? WORDS[message]() : message;
}

/** What the core refuses; a scenario's duration in the words of its field, which is empty or holds what none may. */
function refusalWord(refusal: Saying): string {
  const problem = nameIn(refusal, 'field') === 'duration_us' ? durationProblem(refusal) : undefined;
  return problem === undefined
    ? sayAlone(refusal)
    : m.lab_refused_field({ title: m.lab_duration(), problem });
}

function durationProblem({ code, values }: Saying): string | undefined {
  if (code === 'scenario.missing') return m.lab_duration_missing();
  const permitted = values['permitted'];
  if (permitted?.kind !== 'said') return undefined;
  const { from, to } = permitted.value.values;
  if (from?.kind !== 'count' || to?.kind !== 'count') return undefined;
  const [least, most] = [from.value, to.value].map((micros) => formatRoundNanos(micros * 1000));
  return m.lab_duration_bounds({ bounds: m.from_to({ from: least!, to: most! }) });
}

function isCode(message: string): message is TroubleCode {
  return Object.hasOwn(WORDS, message);
}

/** Whether a part of the page did not come. Each browser has words of its own for it; vite has, too. */
function isUnfetched(error: unknown): boolean {
  if (error instanceof TypeError) return /import|fetch/i.test(error.message);
  return error instanceof Error && error.message.startsWith('Unable to preload');
}
