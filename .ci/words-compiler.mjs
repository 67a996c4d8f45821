/**
 * `node .ci/words-compiler.mjs FOLDER`: compiles the messages of each language in
 * `web/words/messages/` to functions and their types in FOLDER, with Paraglide. The project is
 * made in memory and the message format comes from node_modules, so no settings file can name
 * an address. What cannot be read as a message is an error.
 */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { compileProject } from '@inlang/paraglide-js';
import messageFormat from '@inlang/plugin-message-format';
import { loadProjectInMemory, newProject } from '@inlang/sdk';
import { root } from './shell.mjs';

// No address is named anywhere; should a library want one all the same, it must not get it.
globalThis.fetch = () => Promise.reject(new Error('the words are compiled without a network'));

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: node .ci/words-compiler.mjs FOLDER');

const baseLocale = 'en';
const messages = join(root, 'web', 'words', 'messages');
const locales = readdirSync(messages).map((name) => basename(name, '.json'));

const project = await loadProjectInMemory({
  blob: await newProject({
    settings: {
      baseLocale,
      locales: [baseLocale, ...locales.filter((locale) => locale !== baseLocale)],
      // The plugin wants it, but reads no file: the contents are handed in below.
      [messageFormat.key]: { pathPattern: './{locale}.json' },
    },
  }),
  providePlugins: [messageFormat],
});
await project.importFiles({
  pluginKey: messageFormat.key,
  files: locales.map((locale) => ({
    locale,
    content: readFileSync(join(messages, `${locale}.json`)),
  })),
});
const output = await compileProject({
  project,
  compilerOptions: {
    // Which language it is comes from web/words/locale.svelte.ts alone.
    strategy: ['globalVariable', 'baseLocale'],
    isServer: 'false',
    disableAsyncLocalStorage: true,
    outputStructure: 'locale-modules',
    emitTsDeclarations: true,
    emitReadme: false,
    emitGitIgnore: false,
    emitPrettierIgnore: false,
  },
});
const problems = await project.errors.get();
for (const problem of problems) console.error(`web/words/messages: ${problem.message}`);
if (problems.length === 0) {
  for (const [name, text] of Object.entries(output)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
process.exit(problems.length === 0 ? 0 : 1);
