/**
 * One moment of a run as a still: all shapes of a view, from the back to the front. The live stage draws
 * the same shapes in two parts, as it paints the static ones only once.
 */
import type { Opened } from '../core/core.ts';
import type { Frame } from '../core/frame.ts';
import type { StageView } from '../core/stage-view.ts';
import { focusOf } from './follow.ts';
import { layoutOf, type Layout } from './layout.ts';
import { backdrop, scene, stageOf } from './scene.ts';
import type { Shape, View, Viewport } from './shapes.ts';
import { groundOf } from './views/ground.ts';
import { pictureOf } from './views/picture.ts';
import type { Words } from './words.ts';

export interface Still {
  readonly shapes: readonly Shape[];
  /** The scale that `marksOf` expects. */
  readonly scale: number;
  readonly width: number;
  readonly height: number;
  /** The layout of the way view; `undefined` for the other views. */
  readonly layout: Layout | undefined;
  /** The view's content as sentences; for the views other than the way. */
  readonly sentences: readonly string[];
}

export function stillOf(
  stageView: StageView,
  run: Opened,
  words: Words,
  room: Viewport,
  frame: Frame,
  view: View,
): Still {
  if (stageView !== 'way') {
    const ground = groundOf(run, words, { ...room, textScale: 1 });
    const { sentences, ...picture } = pictureOf(stageView, ground, frame, view);
    return { ...picture, layout: undefined, sentences: sentences() };
  }
  const layout = layoutOf(run, words, room, focusOf(frame, run, words, view));
  const stage = stageOf(run, words, layout, room.measure);
  const shapes = [...backdrop(stage), ...scene(stage, frame, undefined, view)];
  const { width, height, scale } = layout;
  return { shapes, width, height, scale, layout, sentences: [] };
}
