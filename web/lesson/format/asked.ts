/**
 * Resolves references to questions: `reveal` and `compare` name a question of an earlier step, and each
 * option of that question must claim something about the value shown.
 */
import { claimOf } from './claim.ts';
import type { Ask, Compare, Placed, Step } from './lesson.ts';
import type { MistakeList } from './mistakes.ts';

export function checkAsked(steps: readonly Step[], mistakes: MistakeList): void {
  const asked = new Map<string, Asked>();
  for (const { scene, reveal, compares, ask } of steps) {
    if (reveal !== undefined) find(asked, reveal.ask, reveal.line, mistakes);
    for (const compare of compares) {
      if (compare.ask === undefined) continue;
      const found = find(asked, compare.ask, compare.line, mistakes);
      if (found !== undefined) checkCompared(compare, scene.run, found, mistakes);
    }
    if (ask !== undefined) asked.set(ask.id, { ask, run: scene.run });
  }
}

/** A question, and the run that its step shows. */
interface Asked {
  readonly ask: Ask;
  readonly run: string;
}

function find(
  asked: ReadonlyMap<string, Asked>,
  id: string,
  line: number,
  mistakes: MistakeList,
): Asked | undefined {
  const found = asked.get(id);
  if (found === undefined) {
    const known = [...asked.keys()].join(', ') || 'none';
    mistakes.add(line, `no step before this one asks “${id}”; asked before: ${known}`);
  }
  return found;
}

function checkCompared(
  { measure, line }: Placed<Compare>,
  shown: string,
  { ask, run }: Asked,
  mistakes: MistakeList,
): void {
  const { over, text } = measure;
  if (over.kind === 'measure' && over.run === undefined && run !== shown) {
    mistakes.add(
      line,
      `“${ask.id}” was asked of the run “${run}”: name the run, “${text}@${shown}”`,
    );
    return;
  }
  for (const option of ask.options) {
    if (claimOf(option.fact)?.of === text) continue;
    mistakes.add(
      line,
      `“${option.fact.text}” of “${ask.id}” bounds no “${text}” by a number, so it is no prediction of it`,
    );
  }
}
