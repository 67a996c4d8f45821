/**
 * `node .ci/first-functions.mjs`: finds out which functions of the reader's module run until a
 * recording stands on the stage and plays, and writes their names to `wasm-core/first-functions.txt`,
 * by which the module is cut in two (`.ci/rust.mjs`). Every recording of the shelf is opened and
 * played for a while in the built page, with a module that marks what runs.
 *
 * A function that is not listed is fetched when it is first called: an old list costs time, and
 * nothing else. `web/e2e/open.spec.ts` tells when it is worth making again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { preview } from 'vite';
import { sandbox } from './bench/browser.mjs';
import { xtask } from './rust.mjs';
import { setUp } from './setup.mjs';
import { cache, entry, root, run, say, wasmCore } from './shell.mjs';

/** What is written over the page's own worker: it keeps the marks where they can be asked for. */
const PROLOGUE = `
const instantiate = WebAssembly.instantiateStreaming;
WebAssembly.instantiateStreaming = async (...given) => {
  const made = await instantiate.apply(WebAssembly, given);
  globalThis.ran = made.instance.exports.ran;
  return made;
};
`;

/** How long each recording is played. */
const PLAYED_MS = 3000;

await entry(async () => {
  await setUp();
  const named = join(cache, 'reader-named.wasm');
  const watched = join(cache, 'reader-watched.wasm');
  const namesFile = join(cache, 'reader-names.txt');
  xtask('watch', named, watched, namesFile);
  run(join(root, 'node_modules', '.bin', 'vite'), ['build', '--logLevel=warn']);

  const names = readFileSync(namesFile, 'utf8').split('\n');
  const watchedModule = readFileSync(watched);
  const first = new Set();
  const server = await preview({ preview: { port: 0, host: 'localhost' }, logLevel: 'warn' });
  const { port } = server.httpServer.address();
  const { executablePath } = JSON.parse(readFileSync(join(cache, 'browser.json'), 'utf8'));
  const browser = await chromium.launch({ executablePath, args: sandbox });
  try {
    for (const recording of recordings()) {
      const page = await browser.newPage();
      const ran = await functionsOf(recording, page, port, watchedModule);
      await page.close();
      say(`${recording}: ${ran.size} functions`);
      for (const index of ran) first.add(names[index]);
    }
  } finally {
    await browser.close();
    await server.close();
  }
  const list = [...first].filter((name) => name !== '').sort();
  writeFileSync(join(wasmCore, 'first-functions.txt'), `${list.join('\n')}\n`);
  say(`${list.length} of ${new Set(names).size} functions come first`);
  process.exit(0);
});

function recordings() {
  const index = JSON.parse(readFileSync(join(root, 'traces', 'index.json'), 'utf8'));
  return index.groups.flatMap(({ slugs }) => slugs);
}

async function functionsOf(recording, page, port, watchedModule) {
  await page.route('**/reader_bg*.wasm', (route) =>
    route.fulfill({ contentType: 'application/wasm', body: watchedModule }),
  );
  await page.route('**/core.worker*.js', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: PROLOGUE + (await answer.text()) });
  });
  // As a visitor does, by a link on the shelf: then it is played, at the speed that it is told at.
  await page.goto(`http://localhost:${port}/`);
  await page.locator(`article a[href*="trace=${recording}"]`).first().click();
  await page.getByRole('region', { name: 'Transport' }).waitFor();
  await page.locator('[data-idle]').waitFor();
  await page.keyboard.press('Space');
  await page.waitForTimeout(PLAYED_MS);
  const workers = page.workers().filter((one) => one.url().includes('core.worker'));
  const ran = new Set();
  for (const worker of workers) {
    const marks = await worker.evaluate(() =>
      globalThis.ran === undefined
        ? []
        : [...new Uint8Array(globalThis.ran.buffer)].flatMap((mark, index) =>
            mark === 1 ? [index] : [],
          ),
    );
    for (const index of marks) ran.add(index);
  }
  return ran;
}
