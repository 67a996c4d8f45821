/**
 * How the page is built and how its unit tests run. The page's root is `web/`;
 * the base is relative, so any static host and any sub-path can serve `dist/`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { licences, PAGE_LICENCES } from './.ci/licences.mjs';
import { pictures } from './.ci/pictures.mjs';
import { lessons } from './web/lesson/format/plugin.ts';
import { words } from './.ci/words.mjs';

// Rune classes are tested as the browser runs them: Svelte's server build would make them inert.
const isUnitTest = process.env['VITEST'] !== undefined;

/** The unit tests, and those of them that put something in a module's or a global's place: others would meet it. */
const unitTests = readdirSync(join(import.meta.dirname, 'web'), {
  recursive: true,
  encoding: 'utf8',
}).filter((name) => name.endsWith('.test.ts'));
const replacing = unitTests.filter((name) =>
  /\bvi\.(?:mock|stub|spy|reset)/.test(
    readFileSync(join(import.meta.dirname, 'web', name), 'utf8'),
  ),
);

export default defineConfig({
  root: 'web',
  base: './',
  cacheDir: '../.cache/vite',
  plugins: [
    words(),
    pictures(),
    svelte({ configFile: '../svelte.config.js' }),
    lessons(import.meta.dirname),
    licences(),
  ],
  resolve: isUnitTest ? { conditions: ['browser'] } : {},
  // Recordings and lessons live beside `web/`, not in it.
  server: { fs: { allow: ['..'] } },
  worker: { format: 'es' },
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2023',
    license: { fileName: PAGE_LICENCES },
    // Inlined as base64 the wasm module could not be compiled while it streams in.
    assetsInlineLimit: 0,
  },
  test: {
    environment: 'node',
    setupFiles: ['words/all-languages.ts'],
    // Modules are loaded once for all tests that leave them as they are: half of the time was spent on loading them again.
    projects: [
      {
        extends: true,
        test: { name: 'together', isolate: false, include: ['**/*.test.ts'], exclude: replacing },
      },
      { extends: true, test: { name: 'apart', isolate: true, include: replacing } },
    ],
    // A machine that is busy is slow, not wrong: only what hangs runs into this.
    testTimeout: 60_000,
  },
});
