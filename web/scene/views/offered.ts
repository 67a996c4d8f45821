/**
 * Which of the views have content in a run, so that no tab leads to an empty stage. A link may still
 * request any view, which then says what the run does not record.
 */
import type { Glossary, Opened } from '../../core/core.ts';
import { STAGE_VIEWS, type StageView } from '../../core/stage-view.ts';
import { m } from '../../words/generated/messages.js';

/** The title of each view, in the page's language. */
export const VIEW_NAMES: Readonly<Record<StageView, () => string>> = {
  way: m.view_way,
  queues: m.view_queues,
  caches: m.view_caches,
  scheduler: m.view_scheduler,
  locks: m.view_locks,
};

/** The views with content in a run, and the current one, in their order. */
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
      // Without cache lines, the CPU that touched a packet is inferred, which says nothing if there is only
      // one.
      return machine.caches.length > 0 || cpus.length > 1;
    case 'scheduler':
      return machine.hasTasks || queues.some(({ kind }) => isRunQueue(kind));
    case 'locks':
      return machine.locks.length > 0;
  }
}
