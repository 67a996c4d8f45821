/**
 * The lints, and the directions of dependency as data: which folder of `web/` may import
 * which. ARCHITECTURE.md says why; a breach is an error that says where the thing belongs.
 */
import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

const ban = (message, ...group) => ({ group, message });

const noD3Doers = ban(
  'An axis is an {#each}, time is ours, and d3 is imported by the single package.',
  'd3',
  'd3-axis',
  'd3-transition',
);
const gestureOnly = ban(
  'Svelte owns the DOM: wrap the behaviour as an attachment in web/gesture/.',
  ...['d3-selection', 'd3-zoom', 'd3-brush', 'd3-drag'],
);
const coreOnly = ban(
  'Only web/core/ knows of wasm or a worker: ask through the interface in web/core/core.ts.',
  ...['comlink', '**/core/generated/**', './generated/{reader,simulator}*'],
);
/** What is below a folder is all that it may import of ours. */
const onlyOf = (message, ...below) =>
  ban(message, '../**', ...below.flatMap((folder) => [`!../${folder}`, `!../${folder}/**`]));
const aboveWords = onlyOf(
  'web/ui/ and web/gesture/ know no domain: they import nothing of ours but what is below them.',
  ...['words', 'numbers', 'storage'],
);
const aboveCore = onlyOf(
  'web/words/ stands below all views: it imports the shapes of the core, web/numbers/ and web/storage/.',
  ...['core', 'numbers', 'storage'],
);
const atTheBottom = onlyOf('web/numbers/ and web/storage/ import nothing of ours.');
const noPage = ban(
  'web/scene/ is pure: (frame, layout, viewport) -> shapes. Values are passed in.',
  ...['svelte', 'svelte/**', '**/*.svelte', '**/*.svelte.ts'],
  ...['session', 'stage', 'timeline', 'inspect', 'ui', 'gesture'].map(
    (folder) => `**/${folder}/**`,
  ),
);
const coreWords = {
  regex: String.raw`/core/(?!(?:core|run|frame|lanes|journeys|measures|machine|profile|sequence|told|saying|findings|stage-view)\.ts$)`,
  message:
    'web/scene/ takes from the core only the shapes and words of its answers (core.ts, frame.ts ...).',
};
const extension = {
  regex: String.raw`^\.{1,2}/(?:.*/)?[^./]+$`,
  message: 'Write the import with its extension.',
};

const asProperties = ({ name, message }) =>
  ['window', 'globalThis', 'self'].map((object) => ({ object, property: name, message }));

const layer = (files, bans, globalsOff = []) => ({
  files,
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      { patterns: [noD3Doers, extension, ...bans] },
    ],
    'no-restricted-globals': globalsOff.length > 0 ? ['error', ...globalsOff] : 'off',
    // The same by its long name.
    'no-restricted-properties':
      globalsOff.length > 0 ? ['error', ...globalsOff.flatMap(asProperties)] : 'off',
  },
});

const oneFrameLoop = {
  name: 'requestAnimationFrame',
  message: 'There is one frame loop, in web/session/clock.ts.',
};
const noDocument = {
  name: 'document',
  message: 'Svelte owns the DOM: use bind:this or an attachment.',
};
const nothingOutside = [
  ...['document', 'window', 'Date', 'performance', 'devicePixelRatio', 'requestAnimationFrame'],
].map((name) => ({ name, message: 'web/scene/ is pure: the value is passed in.' }));

const unlike = [
  {
    selector: 'ImportDeclaration[source.value=/^d3/] ImportNamespaceSpecifier',
    message: 'Import the names you use.',
  },
  { selector: 'ExportDefaultDeclaration', message: 'Export it by its name.' },
  { selector: 'ExportAllDeclaration', message: 'No barrel files: import from where it is.' },
];
const byTheAnnouncer =
  'One step is said by one voice: tell the announcer (web/session/announcer.svelte.ts).';
const inOneVoice = [
  { selector: "SvelteAttribute[key.name='aria-live']", message: byTheAnnouncer },
  {
    selector: "SvelteAttribute[key.name='role'] > SvelteLiteral[value=/^(status|log|timer)$/]",
    message: byTheAnnouncer,
  },
  { selector: "SvelteElement[name.name='output']", message: byTheAnnouncer },
];
/** What answers in its own form or dialog to what was done there, and the one voice itself. No film moves it. */
const inTheirOwnPlace = [
  'web/{lab,lesson,papers,search,traces}/**/*.svelte',
  'web/shell/{Notices,PartDialog,SaveDialog,SettingsDialog,Spoken}.svelte',
  'web/{inspect/SearchSelect,note/NoteDialog,transport/TimeField,ui/CopyTable}.svelte',
];

export default ts.config(
  {
    ignores: [
      'dist/',
      '.cache/',
      'web/core/generated/',
      'web/words/generated/',
      'wasm-core/',
      'test-results/',
      'playwright-report/',
    ],
  },
  js.configs.recommended,
  ...ts.configs.strictTypeChecked,
  ...svelte.configs.recommended,
  {
    languageOptions: {
      globals: globals.browser,
      parserOptions: {
        projectService: true,
        extraFileExtensions: ['.svelte'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      // The compiler knows each name; the rule does not know types.
      'no-undef': 'off',
      'svelte/no-at-html-tags': 'error',
      'no-restricted-syntax': ['error', ...unlike, ...inOneVoice],
      // A column is read within its own length: `!` says so, where a default would hide a mistake.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    // ESLint sees no types of other components' props; svelte-check does, and checks them.
    files: ['**/*.svelte'],
    rules: { '@typescript-eslint/no-unsafe-argument': 'off' },
  },

  // Later entries replace earlier ones for the files they name.
  layer(['web/**'], [gestureOnly, coreOnly], [oneFrameLoop]),
  layer(['web/**/*.svelte'], [gestureOnly, coreOnly], [oneFrameLoop, noDocument]),
  layer(['web/session/clock.ts'], [gestureOnly, coreOnly]),
  layer(['web/e2e/**'], [gestureOnly, coreOnly]),
  layer(['web/core/**'], [gestureOnly], [oneFrameLoop]),
  layer(['web/scene/**'], [gestureOnly, coreOnly, noPage, coreWords], nothingOutside),
  layer(['web/words/**'], [gestureOnly, coreOnly, aboveCore], [oneFrameLoop]),
  layer(['web/ui/**'], [gestureOnly, coreOnly, aboveWords], [oneFrameLoop]),
  layer(['web/words/**/*.svelte'], [gestureOnly, coreOnly, aboveCore], [oneFrameLoop, noDocument]),
  layer(['web/ui/**/*.svelte'], [gestureOnly, coreOnly, aboveWords], [oneFrameLoop, noDocument]),
  layer(['web/gesture/**'], [coreOnly, aboveWords], [oneFrameLoop]),
  layer(['web/{numbers,storage}/**'], [gestureOnly, coreOnly, atTheBottom], [oneFrameLoop]),

  {
    files: inTheirOwnPlace,
    rules: { 'no-restricted-syntax': ['error', ...unlike, inOneVoice[0]] },
  },
  {
    // Plain Node and tools' own settings: no types to check, and the tools want default exports.
    files: ['**/*.mjs', '*.config.js', '*.config.ts'],
    extends: [ts.configs.disableTypeChecked],
    languageOptions: { globals: globals.node, parserOptions: { projectService: false } },
    rules: { 'no-restricted-syntax': 'off' },
  },
);
