/**
 * A lesson with more or less help (Atkinson, Renkl and Merrill 2003): fully worked, with the last question
 * left to the learner, with all questions, and with the text withheld as well.
 */
import type { Ask, Lesson, Step } from './lesson.ts';

export const HELPS = ['worked', 'last', 'asked', 'blank'] as const;
export type Help = (typeof HELPS)[number];

/** The lesson with this much help. `asked` is the lesson as written. */
export function withHelp(lesson: Lesson, help: Help): Lesson {
  const last = lesson.steps.findLastIndex(({ ask }) => ask !== undefined);
  const change = (step: Step, index: number): Step => {
    switch (help) {
      case 'asked':
        return step;
      case 'worked':
        return withAsk(step, given);
      case 'last':
        return index === last ? withAsk(step, locked) : withAsk(step, given);
      case 'blank':
        return { ...withAsk(step, locked), prose: [], hints: [...step.hints, step.prose] };
    }
  };
  const [first, ...rest] = lesson.steps;
  return { ...lesson, steps: [change(first, 0), ...rest.map((step, at) => change(step, at + 1))] };
}

function withAsk(step: Step, change: (ask: Ask) => Ask): Step {
  return step.ask === undefined ? step : { ...step, ask: change(step.ask) };
}

/** The question answered from the start, with the reason. */
function given(ask: Ask): Ask {
  return { ...ask, isGiven: true, isLocked: false };
}

function locked(ask: Ask): Ask {
  return { ...ask, isLocked: true };
}
