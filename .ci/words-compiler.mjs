/**
 * `node .ci/words-compiler.mjs FOLDER [--pseudo]`: compiles the messages of each language in
 * `web/words/messages/` to functions and their types in FOLDER, with Paraglide. The project is
 * made in memory and the message format comes from node_modules, so no settings file can name
 * an address. What cannot be read as a message is an error. With `--pseudo` each English text is
 * written in letters of no language between ⟦ and ⟧, so that a test sees what does not come from here.
 */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { compileProject } from '@inlang/paraglide-js';
import messageFormat from '@inlang/plugin-message-format';
import { loadProjectInMemory, newProject } from '@inlang/sdk';
import { root } from './shell.mjs';

// No address is named anywhere; should a library want one all the same, it must not get it.
globalThis.fetch = () => Promise.reject(new Error('the words are compiled without a network'));

const [folder, flag] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node .ci/words-compiler.mjs FOLDER [--pseudo]');

const baseLocale = 'en';
const messages = join(root, 'web', 'words', 'messages');
const isPseudo = flag === '--pseudo';
const locales = isPseudo
  ? [baseLocale]
  : readdirSync(messages).map((name) => basename(name, '.json'));

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
    content: Buffer.from(contentOf(locale)),
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
// The core names a saying by its code, so it is looked up by name; all else is imported by name.
const sayings = Object.keys(JSON.parse(contentOf(baseLocale))).filter((key) => /^say_/.test(key));
output['sayings.js'] = `import * as m from './messages.js';
/** @type {Readonly<Record<string, ((values: any) => string) | undefined>>} */
export const sayings = { ${sayings.map((key) => `${key}: m.${key}`).join(', ')} };
`;
output['sayings.d.ts'] =
  'export const sayings: Readonly<Record<string, ((values: Readonly<Record<string, unknown>>) => string) | undefined>>;\n';
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

function contentOf(locale) {
  const text = readFileSync(join(messages, `${locale}.json`), 'utf8');
  if (!isPseudo) return text;
  const entries = Object.entries(JSON.parse(text)).map(([key, message]) => [key, pseudo(message)]);
  return JSON.stringify(Object.fromEntries(entries));
}

/** A message with its texts, and each text of a choice, in letters of no language. */
function pseudo(message) {
  if (typeof message === 'string') return `⟦${accented(message)}⟧`;
  return message.map((choice) => ({
    ...choice,
    match: Object.fromEntries(
      Object.entries(choice.match).map(([when, text]) => [when, pseudo(text)]),
    ),
  }));
}

/** Vowels with a mark, what stands in braces as it is: it can still be read. */
function accented(text) {
  const marks = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', A: 'Á', E: 'É', I: 'Í', O: 'Ó', U: 'Ú' };
  return text.replaceAll(/\{[^}]*\}|[aeiouAEIOU]/g, (found) => marks[found] ?? found);
}
