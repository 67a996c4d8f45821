// What is in package.json and in the sources has to be used; `npx knip` says what is not.

/**
 * The imports of a Svelte component, as a script that knip can read: those of its `<script>`
 * and those of its template, which knip's own compiler for Svelte leaves out.
 *
 * @param {string} component
 */
const importsOf = (component) =>
  [
    ...component.matchAll(/^\s*import\s[^'"]*from\s*'[^']+'/gm),
    ...component.matchAll(/\bimport\('[^']+'\)/g),
  ]
    .map(([found]) => found)
    .join(';\n');

export default {
  entry: [
    'web/main.ts',
    'web/core/core.worker.ts',
    // Imported by the bindings in web/core/generated/.
    'web/core/rest.ts',
    // Run by vitest before each test file, from web/, the page's root.
    'web/words/all-languages.ts',
    'web/core/bench/page.ts',
    'web/core/bench/bench.worker.ts',
    // Run by .ci/pictures.mjs through vite.
    'web/traces/draw-shelf.ts',
    '.ci/*.mjs',
    '.ci/bench/*.mjs',
    '.ci/fuzz/*.mjs',
    'web/e2e/**/*.spec.ts',
    // Put into a page by films.spec.ts.
    'web/e2e/paint-strip.ts',
  ],
  project: ['web/**/*.{ts,svelte}', '.ci/**/*.mjs'],
  compilers: { svelte: importsOf },
  // Both are started by their path, from .ci/rust.mjs and .ci/checks.mjs.
  ignoreDependencies: ['binaryen', 'svelte-check'],
  ignoreUnresolved: ['words/all-languages.ts'],
  ignoreBinaries: ['cargo'],
  ignoreExportsUsedInFile: true,
};
