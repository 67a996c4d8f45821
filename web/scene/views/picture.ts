/**
 * Any view beside the way as one picture: how large it is, its shapes from the back to the
 * front, and the same in words. Which function draws which view is said here and nowhere else.
 */
import type { Frame } from '../../core/frame.ts';
import type { StageView } from '../../core/stage-view.ts';
import type { Shape, View } from '../shapes.ts';
import { cachesHeight, cachesShapes } from './caches/caches.ts';
import { locksHeight, locksShapes } from './locks/locks.ts';
import { queuesHeight, queuesShapes } from './queues/queues.ts';
import { schedulerHeight, schedulerShapes } from './scheduler/scheduler.ts';
import { describeView } from './describe.ts';
import type { Ground } from './ground.ts';

export type SideView = Exclude<StageView, 'way'>;

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** As `marksOf` wants it. */
  readonly scale: number;
  readonly shapes: readonly Shape[];
  /** What it tells beyond what every view tells, in words. */
  readonly sentences: readonly string[];
}

interface Drawn {
  readonly height: (ground: Ground) => number;
  readonly shapes: (ground: Ground, frame: Frame, view: View) => readonly Shape[];
}

const DRAWN: Readonly<Record<SideView, Drawn>> = {
  queues: { height: queuesHeight, shapes: queuesShapes },
  caches: { height: cachesHeight, shapes: cachesShapes },
  scheduler: { height: schedulerHeight, shapes: schedulerShapes },
  locks: { height: locksHeight, shapes: locksShapes },
};

/** Texts of 12 px have lines and corners of the natural size. */
const NATURAL_TEXT = 12;

export function pictureOf(name: SideView, ground: Ground, frame: Frame, view: View): Picture {
  const drawn = DRAWN[name];
  return {
    width: ground.width,
    height: drawn.height(ground),
    scale: ground.em / NATURAL_TEXT,
    shapes: drawn.shapes(ground, frame, view),
    sentences: describeView(name, ground, frame),
  };
}
