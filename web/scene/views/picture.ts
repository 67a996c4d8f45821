/**
 * Any view other than the way as a picture: its size, its shapes from the back to the front, and its
 * content as sentences. Only this file maps views to the functions that draw them.
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

/** A view's drawing of one frame. */
export interface Drawn {
  readonly height: number;
  readonly shapes: readonly Shape[];
  /** Sentences beyond those common to all views; made when they are read. */
  readonly sentences: () => readonly string[];
}

export interface Picture extends Drawn {
  readonly width: number;
  /** The scale that `marksOf` expects. */
  readonly scale: number;
}

const VIEWS: Readonly<Record<SideView, (ground: Ground, frame: Frame, view: View) => Drawn>> = {
  queues: drawQueues,
  caches: drawCaches,
  scheduler: drawScheduler,
  locks: drawLocks,
};

/** The text size, in px, at which lines and corners have their natural size. */
const NATURAL_TEXT = 12;

export function pictureOf(name: SideView, ground: Ground, frame: Frame, view: View): Picture {
  const drawn = VIEWS[name](ground, frame, view);
  return { ...drawn, width: ground.width, scale: ground.em / NATURAL_TEXT };
}
