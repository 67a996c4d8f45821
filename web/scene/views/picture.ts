/**
 * Any view beside the way as one picture: how large it is, its shapes from the back to the
 * front, and the same in words. Which function draws which view is said here and nowhere else.
 */
import type { Frame } from '../../core/frame.ts';
import type { StageView } from '../../core/stage-view.ts';
import type { Shape, View } from '../shapes.ts';
import { drawCaches } from './caches/caches.ts';
import { drawLocks } from './locks/locks.ts';
import { drawQueues } from './queues/queues.ts';
import { drawScheduler } from './scheduler/scheduler.ts';
import type { Ground } from './ground.ts';

export type SideView = Exclude<StageView, 'way'>;

/** What a view makes of a moment. */
export interface Drawn {
  readonly height: number;
  readonly shapes: readonly Shape[];
  /** What it tells beyond what every view tells, in words; made when they are read. */
  readonly sentences: () => readonly string[];
}

export interface Picture extends Drawn {
  readonly width: number;
  /** As `marksOf` wants it. */
  readonly scale: number;
}

const VIEWS: Readonly<Record<SideView, (ground: Ground, frame: Frame, view: View) => Drawn>> = {
  queues: drawQueues,
  caches: drawCaches,
  scheduler: drawScheduler,
  locks: drawLocks,
};

/** Texts of 12 px have lines and corners of the natural size. */
const NATURAL_TEXT = 12;

export function pictureOf(name: SideView, ground: Ground, frame: Frame, view: View): Picture {
  const drawn = VIEWS[name](ground, frame, view);
  return { ...drawn, width: ground.width, scale: ground.em / NATURAL_TEXT };
}
