/**
 * How the page is built and how its unit tests run. The page's root is `web/`;
 * the base is relative, so any static host and any sub-path can serve `dist/`.
 */
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { licences, PAGE_LICENCES } from './.ci/licences.mjs';
import { pictures } from './.ci/pictures.mjs';
import { lessons } from './web/lesson/format/plugin.ts';
import { words } from './.ci/words.mjs';

// Rune classes are tested as the browser runs them: Svelte's server build would make them inert.
const isUnitTest = process.env['VITEST'] !== undefined;

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
    include: ['**/*.test.ts'],
    setupFiles: ['words/all-languages.ts'],
    // A machine that is busy is slow, not wrong: only what hangs runs into this.
    testTimeout: 60_000,
  },
});
