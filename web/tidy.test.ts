/**
 * House rules that no linter knows, over every file that git does not ignore: each
 * source says in its first lines what it holds, stays short enough to read in one go, and
 * nothing names a machine's own paths or package host. Each message says how to repair it.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** How a file of each kind opens its first comment, after what its format wants before it. */
const opening: Readonly<Record<string, RegExp>> = {
  '.rs': /^\/\/! \S/,
  '.ts': /^(\/\*\*?|\/\/)\s+\S/,
  '.js': /^(\/\*\*?|\/\/)\s+\S/,
  '.mjs': /^(#!.*\n)?(\/\*\*?|\/\/)\s+\S/,
  '.svelte': /^<!--\s+\S/,
  '.css': /^\/\*\s+\S/,
  '.html': /^<!doctype html>\n<!--\s+\S/,
  '.sh': /^#!.*\n#\s+\S/,
};

/** Known to be too long, and to be split; a file that no longer is must leave this list. */
const tooLong: readonly string[] = [];

interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const files = writtenFiles();
const sources = files.filter(({ path }) => extname(path) in opening);

test('no example in a comment of Rust passes for a test: they are not run', () => {
  const isRun = ({ text }: SourceFile) => {
    const fences = text.match(/^ *\/\/[/!] *```.*$/gm) ?? [];
    return fences.some((fence, at) => at % 2 === 0 && !fence.endsWith('```text'));
  };
  const run = files.filter(({ path }) => path.endsWith('.rs')).filter(isRun);
  expect(run.map(({ path }) => `${path}: begin an example with \`\`\`text`)).toEqual([]);
});

test('no component prints a key itself: the table of keys says which it is', () => {
  const printed = files
    .filter(({ path }) => path.endsWith('.svelte'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/<kbd[^>]*>([^<{]+)</g)].map(([, key]) => `${path}: ${key?.trim()}`),
    );
  expect(printed, 'take the key from hintOf in web/session/keymap.ts').toEqual([]);
});

test('every source opens with a comment that says what it holds', () => {
  const silent = sources.filter(({ path, text }) => !opening[extname(path)]?.test(text));
  expect(
    silent.map(({ path }) => `${path}: open it with 2 to 8 lines on what it holds and what not`),
  ).toEqual([]);
});

test('no source is too long to read in one go', () => {
  const limitOf = (path: string) => (extname(path) === '.svelte' ? 300 : 400);
  const linesOf = (text: string) => text.trimEnd().split('\n').length;
  const long = sources.filter(({ path, text }) => linesOf(text) > limitOf(path));
  const known = long.filter(({ path }) => tooLong.includes(path));
  expect(
    known.map(({ path }) => path),
    'take the others off the list tooLong',
  ).toEqual(tooLong);
  expect(
    long
      .filter((file) => !known.includes(file))
      .map(
        ({ path, text }) =>
          `${path}: ${linesOf(text)} lines, ${limitOf(path)} at most; split it by concept, not by size`,
      ),
  ).toEqual([]);
});

test('nothing names a path of one machine', () => {
  // Recordings are left as the kernel wrote them.
  const written = files.filter(({ path }) => !/^traces\/[^/]+\/trace\./.test(path));
  const own = /(?<![\w.~*-])\/(?:work|root|home)\/[\w.]/;
  expect(found(written, own, 'write it relative to the project')).toEqual([]);
});

test('no file has what git left of a merge', () => {
  expect(found(files, /^(?:<{7}|>{7}) /, 'choose one of the two sides')).toEqual([]);
});

test('nothing names a package host', () => {
  // Cargo.lock always gives the index's own name, whatever host the packages came from.
  const written = files.filter(({ path }) => !path.endsWith('Cargo.lock'));
  const host = /https?:\/\/[^\s/"']*(?:registry|npmjs|artifact|nexus|mirror)/;
  expect(found(written, host, 'take it out; for the lock file run `npm install` again')).toEqual(
    [],
  );
  const lock = files.find(({ path }) => path === 'package-lock.json')?.text ?? '';
  expect(lock, 'run `npm install` with the .npmrc of the project').not.toContain(
    '"resolved": "http',
  );
});

function found(where: readonly SourceFile[], what: RegExp, repair: string): readonly string[] {
  return where.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) => (what.test(line) ? [`${path}:${index + 1}: ${repair}`] : [])),
  );
}

/** Text files only: a recording that is compressed has nothing to say here. */
function writtenFiles(): readonly SourceFile[] {
  // Every line of .gitignore that begins with a slash names one place, from the root.
  const ignored = readFileSync(join(root, '.gitignore'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('/'))
    .map((line) => line.replaceAll(/^\/|\/$/g, ''));
  const isOurs = (path: string) => path !== '.git' && !ignored.includes(path);
  const within = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (!isOurs(path)) return [];
      return entry.isDirectory() ? within(path) : [path];
    });
  return within('')
    .filter((path) => !/\.(?:gz|zst|png|pcap|pcapng)$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}
