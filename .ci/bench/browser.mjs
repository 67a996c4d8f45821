/**
 * Serves a folder that vite built and opens it in the Chromium that set-up found. No part of a
 * graphics card is used, so that the numbers of two machines can be set side by side.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from '../shell.mjs';

/** What tells Chromium to do without its sandbox where it could not have one: as root. */
export const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** Builds one of our pages into `.cache/bench`. */
export async function buildPage(name, input) {
  const { build } = await import('vite');
  const outDir = join(cache, 'bench', name);
  await build({
    logLevel: 'error',
    build: { outDir, emptyOutDir: true, ...(input && { rolldownOptions: { input } }) },
  });
  return outDir;
}

/** Hands `work` a page and the address of what is served, and closes both after it. */
export async function withPage(outDir, work) {
  const { preview } = await import('vite');
  const { chromium } = await import('@playwright/test');
  const note = JSON.parse(readFileSync(join(cache, 'browser.json'), 'utf8'));
  const server = await preview({
    logLevel: 'warn',
    build: { outDir },
    preview: { host: 'localhost', port: 4199 },
  });
  const browser = await chromium.launch({
    executablePath: note.executablePath,
    args: ['--disable-gpu', ...sandbox],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(120_000);
    return await work(page, server.resolvedUrls.local[0]);
  } finally {
    await browser.close();
    await server.close();
  }
}
