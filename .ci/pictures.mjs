/**
 * The pictures of the shelf: a plugin for vite that draws each recording and scenario from its
 * run, with the core that set-up built, when something asks for `virtual:pictures`. What is drawn
 * is kept in `.cache/` until the core, a recording or the drawing changes; the same sources give
 * the same pictures, to the letter.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wasmKey } from './rust.mjs';
import { cache, hashOf, root, say } from './shell.mjs';

const NAME = 'virtual:pictures';
const kept = join(cache, 'pictures');

export function pictures() {
  return {
    name: 'ringside-pictures',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load: async (id) => {
      if (id !== `\0${NAME}`) return undefined;
      // Unit tests draw what they are about themselves (`web/traces/draw-shelf.test.ts`).
      return `export const pictures = ${process.env['VITEST'] ? '{}' : await drawn()};`;
    },
  };
}

/** The shelf as JSON text. */
async function drawn() {
  const path = join(kept, `${wasmKey().slice(0, 12)}-${hashOf(sources()).slice(0, 12)}.json`);
  if (!existsSync(path)) {
    say('drawing the pictures of the shelf');
    const { runnerImport } = await import('vite');
    const { module } = await runnerImport(join(root, 'web', 'traces', 'draw-shelf.ts'), {
      configFile: false,
      root,
      logLevel: 'error',
    });
    mkdirSync(kept, { recursive: true });
    writeFileSync(path, JSON.stringify(await module.drawShelf()));
  }
  return readFileSync(path, 'utf8');
}

/** All of which the pictures are made, besides the core. */
function sources() {
  const traces = readdirSync(join(root, 'traces'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'capture')
    .map(({ name }) => `traces/${name}`);
  return [...traces, 'web/traces/draw-shelf.ts', 'web/traces/picture.ts', ...door()];
}

/** The page's side of the core, through which a run is asked. */
function door() {
  return readdirSync(join(root, 'web', 'core'))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort()
    .map((name) => `web/core/${name}`);
}
