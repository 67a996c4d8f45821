/**
 * L6 of the lessons: everything that moves is bound to an event of the run. What moves between two frames
 * is a packet or represents one, and no style of the stage, the caption or a lesson animates anything by
 * itself.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Shape } from '../scene/shapes.ts';
import { drawn } from '../stage/films-drawn.ts';
import { FILMS } from '../stage/films.ts';

/** One frame of the screen, in seconds of film. */
const FRAME = 1 / 60;

test.each(FILMS)(
  'in “$name” what moves is of a packet',
  { timeout: 120_000 },
  async ({ name, of, at, seconds, focus, view }) => {
    const moments = seconds.flatMap((second) => [second, second + FRAME]);
    const pictures = await drawn({
      ...{ name, of, at, view, seconds: moments, follows: [] },
      ...(focus === undefined ? {} : { focus }),
    });
    const unbound: string[] = [];
    let moved = 0;
    for (let first = 0; first < pictures.length; first += 2) {
      const [before, after] = [pictures[first], pictures[first + 1]];
      const known = new Set(before?.shapes.map(placeOf));
      for (const shape of after?.shapes ?? []) {
        if (known.has(placeOf(shape))) continue;
        moved += 1;
        if (!isBound(shape)) unbound.push(`${String(after?.second)} s: ${placeOf(shape)}`);
      }
    }
    expect(moved, 'a film in which nothing moves shows nothing').toBeGreaterThan(0);
    expect(unbound).toEqual([]);
  },
);

test('no style moves anything by itself', () => {
  const folders = ['lesson', 'stage', 'caption', 'transport', 'timeline'];
  const moving = folders.flatMap((folder) => {
    const all = readdirSync(new URL(`../${folder}`, import.meta.url), {
      ...{ recursive: true, encoding: 'utf8' },
    }).map((file) => `${folder}/${file}`);
    return all.filter(
      (file) =>
        file.endsWith('.svelte') &&
        /@keyframes|\b(?:animation|transition):|svelte\/(?:transition|animate)|\b(?:Tween|Spring)\b/.test(
          readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'),
        ),
    );
  });
  expect(moving).toEqual([]);
});

function placeOf({ kind, rect: { x, y } }: Shape): string {
  return `${kind} at ${x.toFixed(1)}, ${y.toFixed(1)}`;
}

/** Shapes that belong to a packet by their kind: its cut, the ties of its pieces, its trail. */
const OF_PACKETS: readonly Shape['kind'][] = ['blade', 'tether', 'trail'];

function isBound({ kind, thing }: Shape): boolean {
  return thing !== undefined || OF_PACKETS.includes(kind);
}
