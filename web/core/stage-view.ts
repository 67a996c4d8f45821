/**
 * The five views of one moment that the stage has, by name: in the view state, in links, in
 * findings and in lessons. What each shows is the scene's (`web/scene/views/`).
 */
export const STAGE_VIEWS = ['way', 'queues', 'caches', 'scheduler', 'locks'] as const;

/** One of the five views of a moment. */
export type StageView = (typeof STAGE_VIEWS)[number];
