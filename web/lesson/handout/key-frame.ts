/**
 * The key frame of a step: what the stage shows at its moment, as marks for paper, with its caption and
 * its state in words. The same run and step give the same frame, in the page and in the tests.
 */
import type { Nanos } from '../../core/core.ts';
import { captionAt, linesOf, type Lines } from '../../caption/caption.ts';
import { describe } from '../../scene/describe.ts';
import { focusOf } from '../../scene/follow.ts';
import { layoutOf } from '../../scene/layout.ts';
import { carrierAt, lineageOf } from '../../scene/lineage.ts';
import { marksOf, type Mark } from '../../scene/marks.ts';
import { backdrop, scene, stageOf } from '../../scene/scene.ts';
import type { View } from '../../scene/shapes.ts';
import { estimate } from '../../scene/text.ts';
import { groundOf } from '../../scene/views/ground.ts';
import { pictureOf } from '../../scene/views/picture.ts';
import { wordsOf } from '../../scene/words.ts';
import { toldMapAt } from '../../session/film.ts';
import { filmAt } from '../../session/told.ts';
import { say } from '../../words/say.ts';
import type { Step } from '../format/lesson.ts';
import { filmOf, timeOf } from '../play/moments.ts';
import type { LessonRun } from '../play/run.ts';

export interface KeyFrame {
  readonly time: Nanos;
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly marks: readonly Mark[];
  /** Nothing before anything has happened. */
  readonly caption: Lines | undefined;
  readonly state: readonly string[];
}

/** A page of paper, lying. */
const PAPER = { width: 1040, height: 520, measure: estimate } as const;
const LINGER_SECONDS = 0.5;

/** When the step's film ends; where nothing plays, the moment that it shows. */
export async function keyTimeOf(run: LessonRun, { scene: { at }, play }: Step): Promise<Nanos> {
  if (play === undefined) return timeOf(run, at);
  return play.until === undefined ? run.opened.duration : timeOf(run, play.until);
}

/** Throws an Error where the run does not have what the step names. */
export async function keyFrameOf(run: LessonRun, step: Step): Promise<KeyFrame> {
  const { questions, opened, glossary } = run;
  const { view: stageView, follow } = step.scene;
  const [time, [packet, told]] = await Promise.all([keyTimeOf(run, step), filmOf(run, follow)]);
  const lineage =
    packet === undefined ? undefined : await lineageOf(packet, (id) => questions.journey(id));
  const film = filmAt(told.pieces, time);
  const map = toldMapAt(film, told.pieces, 1);
  const linger = Math.max(1, Math.ceil(time - map.timeAfter(-LINGER_SECONDS)));
  const beat = captionAt(told, film, false);
  const [frame, [said]] = await Promise.all([
    questions.frame(time, linger),
    beat === undefined ? [] : questions.said(packet, beat, 1),
  ]);
  const words = wordsOf(glossary);
  const view: View = {
    ...{ travel: 0, filmTo: map.filmTo, linger, way: lineage?.way },
    followed: lineage && carrierAt(lineage, time),
    ...{ selected: undefined, selectedLabel: undefined, hovered: undefined },
  };
  const context = { glossary, opened };
  const caption = said && linesOf(said, 'plain', (saying) => say(saying, context));
  const rest = { time, caption, state: describe(frame, opened, words) };
  if (stageView !== 'way') {
    const ground = groundOf(opened, words, { ...PAPER, textScale: 1 });
    const { shapes, scale, width, height } = pictureOf(stageView, ground, frame, view);
    return { ...rest, width, height, marks: shapes.flatMap((shape) => marksOf(shape, scale)) };
  }
  const layout = layoutOf(opened, words, PAPER, focusOf(frame, opened, words, view));
  const stage = stageOf(opened, words, layout, estimate);
  const shapes = [...backdrop(stage), ...scene(stage, frame, undefined, view)];
  const { width, height, scale } = layout;
  return { ...rest, width, height, marks: shapes.flatMap((shape) => marksOf(shape, scale)) };
}
