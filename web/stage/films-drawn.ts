/**
 * The moments of a silent film as shapes, computed by the core in this thread: for tests.
 */
import type { Opened } from '../core/core.ts';
import { engineOnDisk, inputsOnDisk, runOf, scenarioOnDisk } from '../core/on-disk.ts';
import type { Engine } from '../core/engine.ts';
import type { Frame } from '../core/frame.ts';
import type { View } from '../scene/shapes.ts';
import { stillOf, type Still } from '../scene/still.ts';
import { estimate } from '../scene/text.ts';
import { wordsOf, type Words } from '../scene/words.ts';
import { toldMapAt } from '../session/film.ts';
import { frameAt, momentAt } from '../session/picture.ts';
import { filmAt, timeAt } from '../session/told.ts';
import { followedAt, type SilentFilm } from './films.ts';

/** A moment of a film. */
export interface Drawn extends Still {
  readonly second: number;
  readonly time: number;
  /** The frame from which it was drawn. */
  readonly frame: Frame;
  readonly run: Opened;
  readonly words: Words;
}

/** The size of the stage, in CSS pixels. */
export const ROOM = { width: 1300, height: 620 } as const;
/** Seconds of film for a hop, as in Stage.svelte. */
const TRAVEL = 0.6;

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
    const map = toldMapAt(now, pieces, 1);
    const moment = momentAt(time, map);
    const frame = await frameAt(engine, moment);
    const view: View = {
      ...{
        travel: TRAVEL,
        filmTo: map.filmTo,
        linger: moment.linger,
        followed: followedAt(film, second),
      },
      ...{ selected: undefined, selectedLabel: undefined, hovered: undefined },
    };
    const room = { ...ROOM, measure: estimate };
    moments.push({
      second,
      time,
      frame,
      run,
      words,
      ...stillOf(film.view, run, words, room, frame, view),
    });
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

/** The JSON of a shipped scenario, shortened to a number of microseconds. */
function scenarioOf(of: { readonly scenario: string; readonly micros: number }): string {
  const scenario = JSON.parse(scenarioOnDisk(of.scenario)) as object;
  return JSON.stringify({ ...scenario, duration_us: of.micros });
}
