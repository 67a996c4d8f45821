/**
 * Which of the views have something to show in a run, so that no tab leads to an empty stage.
 * A link may still ask for any of them: a view says itself what a run does not record.
 */
import type { Glossary, Opened } from '../../core/core.ts';
import { STAGE_VIEWS, type StageView } from '../../core/stage-view.ts';
import { m } from '../../words/generated/messages.js';

/** How each view is called, in the language of the page. */
export const VIEW_NAMES: Readonly<Record<StageView, () => string>> = {
  way: m.view_way,
  queues: m.view_queues,
  caches: m.view_caches,
  scheduler: m.view_scheduler,
  locks: m.view_locks,
};

/** The views that a run fills, and the one that is shown, in their order. */
export function offeredViews(
  run: Opened,
  glossary: Pick<Glossary, 'queues'>,
  shown: StageView,
): readonly StageView[] {
  return STAGE_VIEWS.filter((view) => view === shown || hasSomething(view, run, glossary));
}

function hasSomething(
  view: StageView,
  { machine, cpus, queues }: Opened,
  glossary: Pick<Glossary, 'queues'>,
): boolean {
  const isRunQueue = (kind: number) => glossary.queues[kind]?.name === 'run queue';
  switch (view) {
    case 'way':
      return true;
    case 'queues':
      return queues.some(({ kind, maxDepth }) => maxDepth > 0 && !isRunQueue(kind));
    case 'caches':
      // Without lines it is inferred which CPU touched a packet: of one CPU that tells nothing.
      return machine.caches.length > 0 || cpus.length > 1;
    case 'scheduler':
      return machine.hasTasks || queues.some(({ kind }) => isRunQueue(kind));
    case 'locks':
      return machine.locks.length > 0;
  }
}
