/**
 * The moments of a silent film as shapes, drawn by the core in this thread: for tests.
 */
import type { Opened } from '../core/core.ts';
import { engineOnDisk, inputsOnDisk, runOf, scenarioOnDisk } from '../core/on-disk.ts';
import type { Engine } from '../core/engine.ts';
import type { Frame } from '../core/frame.ts';
import { focusOf } from '../scene/follow.ts';
import { layoutOf } from '../scene/layout.ts';
import type { Layout } from '../scene/layout.ts';
import { backdrop, scene, stageOf } from '../scene/scene.ts';
import type { Shape, View } from '../scene/shapes.ts';
import { estimate } from '../scene/text.ts';
import { groundOf } from '../scene/views/ground.ts';
import { pictureOf } from '../scene/views/picture.ts';
import { wordsOf, type Words } from '../scene/words.ts';
import { toldMapAt } from '../session/film.ts';
import { filmAt, timeAt } from '../session/told.ts';
import { followedAt, type SilentFilm } from './films.ts';

/** A moment of a film: its shapes from the back to the front. */
export interface Drawn {
  readonly second: number;
  readonly time: number;
  readonly shapes: readonly Shape[];
  /** As `marksOf` wants it. */
  readonly scale: number;
  /** Where the places of the way are; nothing in the other views. */
  readonly layout: Layout | undefined;
  /** What it was drawn from. */
  readonly frame: Frame;
  readonly run: Opened;
  readonly words: Words;
  /** What a view beside the way tells in words. */
  readonly sentences: readonly string[];
}

/** How large the stage is that they are drawn for. */
export const ROOM = { width: 1300, height: 620 } as const;
/** Seconds of film for a hop, and for which what ended is told: as the page has it. */
const TRAVEL = 0.6;
const LINGER = 0.5;

/** Draws all moments of a film. */
export async function drawn(film: SilentFilm): Promise<readonly Drawn[]> {
  const engine = engineOnDisk();
  const words = wordsOf(await engine.glossary());
  const run = await opened(engine, film);
  const { pieces } = await engine.told(film.focus);
  const zero = filmAt(pieces, film.at);
  const moments: Drawn[] = [];
  for (const second of film.seconds) {
    const now = zero + second;
    const time = timeAt(pieces, now);
    const { filmTo, timeAfter } = toldMapAt(now, pieces, 1);
    const linger = Math.max(1, Math.ceil(time - timeAfter(-LINGER)));
    const frame = await engine.frame(time, linger);
    const view: View = {
      ...{ travel: TRAVEL, filmTo, linger, followed: followedAt(film, second) },
      ...{ selected: undefined, selectedLabel: undefined, hovered: undefined },
    };
    const moment = { second, time, frame, run, words };
    if (film.view === 'way') {
      const layout = layoutOf(
        run,
        words,
        { ...ROOM, measure: estimate },
        focusOf(frame, run, words, view),
      );
      const stage = stageOf(run, words, layout, estimate);
      const shapes = [...backdrop(stage), ...scene(stage, frame, undefined, view)];
      moments.push({ ...moment, shapes, scale: layout.scale, layout, sentences: [] });
    } else {
      const ground = groundOf(run, words, { ...ROOM, measure: estimate, textScale: 1 });
      const { shapes, scale, sentences } = pictureOf(film.view, ground, frame, view);
      moments.push({ ...moment, shapes, scale, layout: undefined, sentences: sentences() });
    }
  }
  return moments;
}

async function opened(engine: Engine, { of }: SilentFilm): Promise<Opened> {
  const nothing = () => undefined;
  return runOf(
    'trace' in of
      ? await engine.open(inputsOnDisk(of.trace), nothing)
      : await engine.simulate(scenarioOf(of), nothing),
  );
}

/** A scenario of the shelf that need not run to its end. */
function scenarioOf(of: { readonly scenario: string; readonly micros: number }): string {
  const scenario = JSON.parse(scenarioOnDisk(of.scenario)) as object;
  return JSON.stringify({ ...scenario, duration_us: of.micros });
}
