/**
 * The few things every script here needs: where the project is, how to run a
 * command, how to speak. Plain Node, because it runs before anything is installed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
export const wasmCore = join(root, 'wasm-core');
export const cache = join(root, '.cache');

// rustup's own folder is often missing from the PATH of the shell that installed it, and a
// machine may forbid rustup to install a toolchain by itself: set-up names what it installs.
process.env['PATH'] = [process.env['PATH'], join(homedir(), '.cargo', 'bin')].join(delimiter);

/** A problem the reader can repair; shown without a stack trace. */
export class SetupError extends Error {}

export function say(message) {
  console.log(`ringside: ${message}`);
}

/** Runs a command in sight of the reader; throws when it fails. */
export function run(command, args, options = {}) {
  const done = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (done.error) throw new SetupError(`${command} could not be started: ${done.error.message}`);
  if (done.status !== 0) {
    const how = done.signal ? `was ended by ${done.signal}` : `failed with status ${done.status}`;
    throw new SetupError(`\`${[command, ...args].join(' ')}\` ${how}`);
  }
}

/** Runs a command unseen and returns what it printed, or `undefined` when it failed. */
export function ask(command, args, options = {}) {
  const done = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    timeout: 30_000,
    ...options,
  });
  return done.status === 0 ? done.stdout : undefined;
}

/** Process groups that end with this process. */
const groups = new Set();

process.on('exit', () => groups.forEach(endGroup));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

function endGroup(leader) {
  groups.delete(leader);
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    // It has ended already.
    if (error.code !== 'ESRCH') throw error;
  }
}

/**
 * Runs a command unseen beside others, and resolves to its status, to all it printed, and to what of that it printed on
 * standard output alone. After so many minutes, if any are named, it is ended with all that it started, and that is said.
 */
export function listen(command, args, { minutes, ...options } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own: what it started is not known otherwise.
      detached: minutes !== undefined,
      ...options,
    });
    let output = '';
    let printed = '';
    for (const from of [child.stdout, child.stderr]) {
      // A letter may be cut in two between chunks.
      from.setEncoding('utf8').on('data', (chunk) => (output += chunk));
    }
    child.stdout.on('data', (chunk) => (printed += chunk));
    let limit;
    if (minutes !== undefined && child.pid !== undefined) {
      groups.add(child.pid);
      const end = () => {
        output += `\nended, as it ran for more than ${minutes} minutes\n`;
        endGroup(child.pid);
      };
      limit = setTimeout(end, minutes * 60_000);
    }
    const done = (status) => {
      clearTimeout(limit);
      groups.delete(child.pid);
      resolve({ status, output, printed });
    };
    child.on('error', (error) => {
      output += error.message;
      done(1);
    });
    child.on('close', (status) => done(status ?? 1));
  });
}

/** A hash over files and folders (names and contents), for "has this changed since?". */
export function hashOf(paths) {
  const hash = createHash('sha256');
  const visit = (path) => {
    hash.update(path);
    hash.update(readFileSync(join(root, path)));
  };
  for (const path of paths) {
    if (statSync(join(root, path)).isDirectory()) {
      readdirSync(join(root, path), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
        .sort()
        .forEach(visit);
    } else visit(path);
  }
  return hash.digest('hex');
}

/** Does `work` unless it was done for the same `key` before and `present` still holds. */
export function once(name, key, present, work) {
  const stamp = join(cache, 'stamps', name);
  if (present && existsSync(stamp) && readFileSync(stamp, 'utf8') === key) return;
  work();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, key);
}

/** Debian's packages can be had without asking when we are root; false where that is not so. */
export function aptInstall(packages) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  say(`installing ${packages.join(', ')} with apt-get`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  try {
    run('apt-get', ['update', '-qq'], { env });
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env });
    return true;
  } catch (error) {
    say(`that did not work: ${error.message}`);
    return false;
  }
}

/** Runs `main` and ends the process with a plain sentence when the reader has to act. */
export async function entry(main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(`ringside: ${error.message}`);
    process.exit(1);
  }
}
