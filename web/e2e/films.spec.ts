/**
 * The silent films as pictures: six moments of each in a strip, without a word, as the stage paints
 * them. What is to be recognised without words is seen to stay so; `npx playwright test films -u`
 * writes the pictures (`films/`) anew. How they look in greyscale and to colour-blind eyes is
 * computed (`web/scene/dim.test.ts`).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { marksOf } from '../scene/marks.ts';
import { FILMS } from '../stage/films.ts';
import { drawn, ROOM } from '../stage/films-drawn.ts';
import { learn } from '../words/generated/messages.js';
import type { paintStrip, Strip } from './paint-strip.ts';
import { expect, test } from '@playwright/test';

const here = import.meta.dirname;
/** Three beside each other are as wide as a small window. */
const [COLUMNS, SCALE] = [3, 0.33];

let script = '';

test.beforeAll(async () => {
  await learn('en');
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      lib: { entry: join(here, 'paint-strip.ts'), formats: ['iife'], name: 'strips' },
    },
  });
  const [{ output }] = built as [Rolldown.RolldownOutput];
  script = output[0].code;
});

for (const film of FILMS) {
  test(`${film.name} looks as it did`, async ({ page }) => {
    const moments = (await drawn(film)).map(({ shapes, scale }) =>
      shapes.flatMap((shape) => marksOf(shape, scale)).filter(({ kind }) => kind !== 'text'),
    );
    const strip: Strip = { moments, room: ROOM, columns: COLUMNS, scale: SCALE };
    await page.setContent('<canvas style="display: block"></canvas>');
    await page.addStyleTag({ content: readFileSync(join(here, '../ui/tokens.css'), 'utf8') });
    await page.addScriptTag({ content: script });
    await page.evaluate((given) => {
      const canvas = document.querySelector('canvas');
      const { strips } = window as unknown as { strips: { paintStrip: typeof paintStrip } };
      if (canvas !== null) strips.paintStrip(canvas, given);
    }, strip);
    await expect(page.locator('canvas')).toHaveScreenshot(`${film.name}.png`, {
      maxDiffPixelRatio: 0.005,
    });
  });
}
