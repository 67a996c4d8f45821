/**
 * A check that passed is skipped while nothing that it reads has changed. For each check
 * `.cache/passed/` keeps the number of tests that passed and a hash of what it reads:
 * its command, Node, settings of the environment, and all files of the checkout, or those
 * that `reads` or `ignores` leave of them. A failure is never kept, so a clean checkout starts with nothing.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, cache, root } from './shell.mjs';

/** What in the environment changes what is built or run. */
const SETTINGS = /^(?:RUST|CARGO|NODE_OPTIONS$|TZ$|LANG$|LC_)/;

const fileOf = ({ name }) => join(cache, 'passed', `${name.replaceAll(' ', '-')}.json`);

/** A hash of all that a check reads; `undefined` where that cannot be known, or where it reads more than files. */
export function keyOf(check) {
  if (check.readsMachine) return undefined;
  const files = filesOf(check);
  if (files === undefined) return undefined;
  const hash = createHash('sha256');
  const noted = check.notes?.filter(existsSync).map((note) => readFileSync(note, 'utf8')) ?? [];
  const settings = Object.entries(process.env).filter(([name]) => SETTINGS.test(name));
  hash.update(JSON.stringify([process.version, check.command, check.env, settings.sort(), noted]));
  for (const file of files) {
    const text = readFileSync(join(root, file));
    hash.update(`${file}\0${text.length}\0`);
    hash.update(text);
  }
  return hash.digest('hex');
}

/** How many tests passed, and when, if all that the check reads was the same then. */
export function passedBefore(check) {
  if (!existsSync(fileOf(check))) return undefined;
  const kept = JSON.parse(readFileSync(fileOf(check), 'utf8'));
  return kept.key === keyOf(check) ? kept : undefined;
}

/** Keeps that a check passed, unless something that it reads was changed while it ran. */
export function keepPassed(check, key, passed) {
  if (key === undefined || keyOf(check) !== key) return;
  mkdirSync(join(cache, 'passed'), { recursive: true });
  writeFileSync(fileOf(check), JSON.stringify({ key, passed, on: new Date().toISOString() }));
}

/** The files of the checkout, those that git ignores left out, that are there and that the check reads. */
function filesOf({ reads, ignores }) {
  const listed = ask('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z']);
  return listed
    ?.split('\0')
    .filter((file) => file !== '' && existsSync(join(root, file)))
    .filter(
      (file) =>
        reads === undefined || reads.some((path) => file === path || file.startsWith(`${path}/`)),
    )
    .filter((file) => !ignores?.test(file))
    .sort();
}
