/**
 * What holds for every view beside the way, for shipped runs at any time and in any window: no two
 * labels overlap, nothing is outside, squares and depths are those of the frame.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Opened } from './core.ts';
import type { Engine } from './engine.ts';
import type { Frame } from './frame.ts';
import { engineOnDisk, inputsOnDisk, recordingsOnDisk, runOf, scenarioOnDisk } from './on-disk.ts';
import { overlaps } from '../scene/callout.ts';
import type { Rect, Shape, View } from '../scene/shapes.ts';
import { estimate } from '../scene/text.ts';
import { groundOf } from '../scene/views/ground.ts';
import { pictureOf, type SideView } from '../scene/views/picture.ts';
import { wordsOf } from '../scene/words.ts';

/** Those that have what the views are for: caches, locks, preemption, a full ring. */
const simulated = ['ba-fig5-smp-1', 'br-rr-2.2', 'wc-share', 'wc-ring'];

const views: readonly SideView[] = ['queues', 'caches', 'scheduler', 'locks'];
const rooms = fc.record({
  width: fc.integer({ min: 360, max: 1900 }),
  height: fc.integer({ min: 300, max: 1000 }),
  textScale: fc.constantFrom(1, 1.25, 2.5),
});

/** Found by chance: the price of a line crosses the legend beside the last row of low panels. */
const FOUND: [number, { width: number; height: number; textScale: number }, boolean][] = [
  [0.00026076062061027705, { width: 572, height: 300, textScale: 1 }, false],
];

it.each(recordingsOnDisk())('every view of %s is whole', async (slug) => {
  const engine = engineOnDisk();
  await holds(engine, runOf(await engine.open(inputsOnDisk(slug).slice(0, 1), () => undefined)));
});

it.each(simulated)('every view of %s is whole', async (name) => {
  const engine = engineOnDisk();
  await holds(engine, runOf(await engine.simulate(scenarioOnDisk(name), () => undefined)));
});

async function holds(engine: Engine, run: Parameters<typeof groundOf>[0]): Promise<void> {
  const words = wordsOf(await engine.glossary());
  const linger = run.duration / 500;
  const moment = fc.double({ min: 0, max: 1, noNaN: true });
  await fc.assert(
    fc.asyncProperty(moment, rooms, fc.boolean(), async (share, room, moves) => {
      const time = Math.floor(share * run.duration);
      const frame = await engine.frame(time, linger);
      const ground = groundOf(run, words, { ...room, measure: estimate });
      const view: View = {
        travel: moves ? 0.6 : 0,
        filmTo: (at) => (at - time) / (linger * 2),
        linger,
        selected: frame.packets.packet[0],
        selectedLabel: undefined,
        hovered: undefined,
      };
      for (const name of views) {
        const picture = pictureOf(name, ground, frame, view);
        const texts = picture.shapes.filter(
          (shape) => shape.kind === 'label' || shape.kind === 'pill',
        );
        texts.forEach((text, at) => {
          const box = shrunk(text.rect);
          const hit = texts.slice(at + 1).find(({ rect }) => overlaps(box, [shrunk(rect)]) > 0);
          expect(hit && `${name}: “${text.text}” and “${hit.text}”`).toBeUndefined();
        });
        for (const shape of picture.shapes) {
          const { x, y, width, height } = shrunk(shape.rect);
          const inside = [x >= 0, y >= 0, x + width <= picture.width, y + height <= picture.height];
          expect(inside, `${name} ${JSON.stringify(shape)}`).toEqual([true, true, true, true]);
        }
        sumsHold(name, picture.shapes, frame, run);
        for (const sentence of picture.sentences()) expect(sentence).toMatch(/\.$/);
      }
    }),
    { numRuns: 12, examples: FOUND },
  );
}

function sumsHold(name: SideView, shapes: readonly Shape[], frame: Frame, run: Opened): void {
  if (name === 'queues') {
    for (const shape of shapes) {
      if (shape.kind !== 'tank' || shape.thing?.kind !== 'queue') continue;
      expect(shape.depth).toBe(frame.queueDepth[shape.thing.queue]);
      expect(shape.limit).toBe(frame.queueLimit[shape.thing.queue]);
    }
  }
  const grids = shapes.filter((shape) => shape.kind === 'grid');
  if (name !== 'caches' || frame.machine.held.lines.length === 0) return;
  const drawn = new Map<number, number>();
  for (const { lines, coming, thing } of grids) {
    if (thing?.kind === 'cache') drawn.set(thing.cpu, (drawn.get(thing.cpu) ?? 0) + lines + coming);
  }
  // As many lines in squares, or on their way to them, as the cache of that CPU holds.
  const held = new Map<number, number>();
  frame.machine.held.cache.forEach((cache, row) => {
    held.set(cache, (held.get(cache) ?? 0) + (frame.machine.held.lines[row] ?? 0));
  });
  for (const [cpu, sum] of drawn) {
    const cache = run.machine.caches.findIndex((cpus) => cpus.includes(cpu));
    expect(sum, `${name}: the lines of CPU ${cpu}’s cache`).toBe(held.get(cache) ?? 0);
  }
}

function shrunk({ x, y, width, height }: Rect): Rect {
  const hair = 0.05;
  return { x: x + hair, y: y + hair, width: width - 2 * hair, height: height - 2 * hair };
}
