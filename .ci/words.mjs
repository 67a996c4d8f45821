/**
 * The page's words: compiles `web/words/messages/` to typed functions in
 * `web/words/generated/`, when they have changed. Set-up does it, and vite (`words()`) whenever
 * it starts and, while it serves, after each edit. The compiler is a process of its own: set-up
 * waits for it without being asynchronous, and nothing of it stays in memory.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cache, hashOf, once, root, run, say } from './shell.mjs';

const messages = join(root, 'web', 'words', 'messages');
const generated = join(root, 'web', 'words', 'generated');
const pseudo = join(cache, 'pseudo-words');
/** How the compiled words are imported, from anywhere in `web/`. */
const FROM = /^(?:\.{1,2}\/)+(?:words\/)?generated\/((?:messages|runtime)\.js)$/;
const compiler = join(root, '.ci', 'words-compiler.mjs');
const sources = ['web/words/messages', '.ci/words-compiler.mjs', 'package-lock.json'];

/** Compiles the messages unless that was done for these very messages before. */
export function setUpWords() {
  once('words', hashOf(sources), existsSync(join(generated, 'messages.js')), () => {
    say('compiling the words of the page');
    run(process.execPath, [compiler, generated]);
  });
}

/**
 * The plugin for vite: compiled words before anything asks for them, and again on each edit. In
 * the mode `pseudo` the page speaks no language (`web/e2e/words.spec.ts`).
 */
export function words() {
  return {
    name: 'ringside-words',
    config: (_, { mode }) => {
      setUpWords();
      if (mode !== 'pseudo') return;
      run(process.execPath, [compiler, pseudo, '--pseudo']);
      return { resolve: { alias: [{ find: FROM, replacement: `${pseudo}/$1` }] } };
    },
    configureServer({ watcher, config }) {
      watcher.add(messages);
      watcher.on('change', (path) => {
        if (!path.startsWith(messages)) return;
        const child = spawn(process.execPath, [compiler, generated], { cwd: root });
        child.stderr.on('data', (text) => config.logger.error(String(text)));
      });
    },
  };
}
