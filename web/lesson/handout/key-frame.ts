/**
 * The key frame of a step: the stage at the step's moment, as marks for paper, with its caption and a
 * description in words. A function of run and step, the same in the page and in the tests.
 */
import type { Nanos } from '../../core/core.ts';
import { linesOf, type Lines } from '../../caption/caption.ts';
import { describe } from '../../scene/describe.ts';
import { carrierAt, lineageOf } from '../../scene/lineage.ts';
import { marksOf, type Mark } from '../../scene/marks.ts';
import type { View } from '../../scene/shapes.ts';
import { stillOf } from '../../scene/still.ts';
import { estimate } from '../../scene/text.ts';
import { wordsOf } from '../../scene/words.ts';
import { toldMapAt } from '../../session/film.ts';
import { frameAt, momentAt } from '../../session/picture.ts';
import { beatAt, filmAt } from '../../session/told.ts';
import { m } from '../../words/generated/messages.js';
import { say } from '../../words/say.ts';
import type { Step } from '../format/lesson.ts';
import { packetText } from '../format/moment.ts';
import { filmOf, timeOf } from '../play/moments.ts';
import type { LessonRun } from '../play/run.ts';

export interface KeyFrame {
  readonly time: Nanos;
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly marks: readonly Mark[];
  /** `undefined` before the first event. */
  readonly caption: Lines | undefined;
  readonly state: readonly string[];
}

/** A landscape page, in CSS pixels. */
const PAPER = { width: 1040, height: 520, measure: estimate } as const;

/** The end of the step's film; without a film, the moment that the step shows. */
async function keyTimeOf(run: LessonRun, { scene: { at }, play }: Step): Promise<Nanos> {
  if (play === undefined) return timeOf(run, at);
  return play.until === undefined ? run.opened.duration : timeOf(run, play.until);
}

/** Draws the key frames of a run; the film of a packet that several steps follow is requested once. */
export function keyFramesOf(run: LessonRun): (step: Step) => Promise<KeyFrame> {
  const films = new Map<string, ReturnType<typeof filmOf>>();
  return (step) => {
    const { follow } = step.scene;
    const key = follow === undefined ? '' : packetText(follow);
    const film = films.get(key) ?? filmOf(run, follow);
    films.set(key, film);
    return keyFrameOf(run, step, film);
  };
}

/** Throws an Error if the run does not have what the step names. */
async function keyFrameOf(
  run: LessonRun,
  step: Step,
  filmed: ReturnType<typeof filmOf>,
): Promise<KeyFrame> {
  const { questions, opened, glossary } = run;
  const { view: stageView } = step.scene;
  const [time, [packet, told]] = await Promise.all([keyTimeOf(run, step), filmed]);
  const lineage =
    packet === undefined ? undefined : await lineageOf(packet, (id) => questions.journey(id));
  const film = filmAt(told.pieces, time);
  const map = toldMapAt(film, told.pieces, 1);
  const moment = momentAt(time, map);
  const beat = beatAt(told.beats, film);
  const [frame, [said]] = await Promise.all([
    frameAt(questions, moment),
    beat === undefined ? [] : questions.said(packet, beat, 1),
  ]);
  const words = wordsOf(glossary);
  const view: View = {
    ...{ travel: 0, filmTo: map.filmTo, linger: moment.linger },
    ...{ way: lineage?.way, wayEnd: lineage?.end },
    waySince: lineage?.isSinceLastFragment === true ? m.stage_since_last_fragment() : undefined,
    followed: lineage && carrierAt(lineage, time),
    ...{ selected: undefined, selectedLabel: undefined, hovered: undefined },
  };
  const context = { glossary, opened };
  const caption = said && linesOf(said, 'plain', (saying) => say(saying, context));
  const still = stillOf(stageView, opened, words, PAPER, frame, view);
  const { shapes, width, height, scale, sentences } = still;
  return {
    ...{ time, width, height, caption },
    marks: shapes.flatMap((shape) => marksOf(shape, scale)),
    state: [...sentences, ...describe(frame, opened, words)],
  };
}
