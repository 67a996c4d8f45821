/**
 * What is written over a vessel is what is drawn in it, at any moment of the told film of every
 * recording: who sets out has left, who has landed is there. What is in bytes is memory, which is charged for
 * longer than a packet is in its queue.
 */
import { expect, it } from 'vitest';
import { NO_WORD, type Opened } from './core.ts';
import { engineOnDisk, inputsOnDisk, recordingsOnDisk, runOf } from './on-disk.ts';
import type { Frame } from './frame.ts';
import type { Slot } from '../scene/layout.ts';
import { layoutOf } from '../scene/layout.ts';
import { entriesIn, scene, stageOf, type Stage } from '../scene/scene.ts';
import { hasMiddle } from '../scene/place.ts';
import type { Shape, View } from '../scene/shapes.ts';
import { estimate } from '../scene/text.ts';
import { wordsOf } from '../scene/words.ts';
import { lingerAt, toldMapAt } from '../session/film.ts';
import { filmLength, timeAt } from '../session/told.ts';

/** So many moments of a film, spread evenly. */
const MOMENTS = 300;
const ROOM = { width: 1900, height: 900, measure: estimate };

it.each(recordingsOnDisk())('numbers and packets of %s agree', async (slug) => {
  const engine = engineOnDisk();
  const run = runOf(await engine.open(inputsOnDisk(slug), () => undefined));
  const words = wordsOf(await engine.glossary());
  const stage = stageOf(run, words, layoutOf(run, words, ROOM), estimate);
  const { pieces } = await engine.told(undefined);
  const wrong: string[] = [];
  let read = 0;
  for (let at = 0; at < MOMENTS; at += 1) {
    const now = (filmLength(pieces) * at) / MOMENTS;
    const time = timeAt(pieces, now);
    const { filmTo, timeAfter } = toldMapAt(now, pieces, 1);
    const linger = lingerAt(time, { filmTo, timeAfter });
    const frame = await engine.frame(time, linger);
    const none = { selected: undefined, selectedLabel: undefined, hovered: undefined };
    const view = { travel: 0.6, filmTo, linger, ...none };
    const shapes = scene(stage, frame, undefined, view);
    const moving = movingIn(stage, frame, view);
    for (const slot of stage.layout.slots.filter(({ queues }) => queues.length > 0)) {
      const [text, number] = writtenOver(slot, shapes);
      if (number === undefined) continue;
      read += 1;
      const drawn = drawnIn(slot, frame, moving, shapes);
      // Memory stays charged while a packet is read.
      const isMemory = unitOf(slot, run) === 'bytes';
      const isSame = isMemory ? drawn === 0 || number > 0 : number === drawn;
      if (!isSame) wrong.push(`${now.toFixed(2)} s of film: “${text}” over ${drawn} packets`);
    }
  }
  expect(wrong).toEqual([]);
  expect(read).toBeGreaterThan(MOMENTS / 2);
});

/** The text over a vessel, and the first number after its name. */
function writtenOver(
  slot: Slot,
  shapes: readonly Shape[],
): readonly [text: string, number: number | undefined] {
  const { titleRect } = slot;
  const label = shapes.find(
    ({ kind, rect }) => kind === 'label' && rect.x === titleRect.x && rect.y === titleRect.y,
  );
  const text = label?.kind === 'label' ? label.text : '';
  // A datagram that is whole is one packet, until it goes on.
  if (text.includes(' · whole: ')) return [text, 1];
  const number = /(?:: | · )(?:full, )?(\d[\d.,]*)/.exec(text)?.[1];
  return [text, number === undefined ? undefined : Number(number.replaceAll(',', ''))];
}

/** The packets that are between two places. */
function movingIn(stage: Stage, frame: Frame, view: View): ReadonlySet<number> {
  const { live } = entriesIn(stage, frame, view);
  return new Set(live.flatMap(({ packet, hopped }) => (hopped > 0 ? [packet] : [])));
}

/** How many packets are drawn at rest in a vessel. */
function drawnIn(
  slot: Slot,
  frame: Frame,
  moving: ReadonlySet<number>,
  shapes: readonly Shape[],
): number {
  const inside = shapes.filter(({ rect }) => hasMiddle(slot.body, rect));
  return inside.reduce((sum, shape) => {
    if (shape.kind === 'assembly') return sum + shape.pieces.length;
    if (shape.kind === 'stack' || shape.kind === 'stream') return sum + shape.count;
    if (shape.kind !== 'capsule' || moving.has(shape.packet)) return sum;
    const at = frame.packets.packet.indexOf(shape.packet);
    return frame.packets.verdict[at] === NO_WORD ? sum + 1 : sum;
  }, 0);
}

function unitOf(slot: Slot, run: Opened): string {
  return run.queues[slot.queues[0] ?? -1]?.unit ?? '';
}
