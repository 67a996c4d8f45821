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
// Each language is a part of the page of its own, fetched when it is spoken; a message is looked up
// in it whenever it is said.
const languages = locales.map((locale) => `${locale}: () => import('./messages/${locale}.js')`);
delete output['messages/_index.js'];
output['messages.js'] = `import { getLocale } from './runtime.js';
const languages = { ${languages.join(', ')} };
const learnt = {};
const said = {};
export async function learn(locale) {
  learnt[locale] ??= await languages[locale]();
}
export const isMessage = (key) => key in learnt[getLocale()];
export const m = new Proxy(said, {
  get: (_, key) => (said[key] ??= (values) => learnt[getLocale()][key](values)),
});
`;
output['messages.d.ts'] = `import type { Locale } from './runtime.js';
/** Fetches a language, which must be there before a message is said in it. */
export declare function learn(locale: Locale): Promise<void>;
/** Whether there is a message of this name. */
export declare function isMessage(key: string): boolean;
/** The messages, each said in the language that is spoken. */
export declare const m: typeof import('./messages/_index.js');
`;
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
