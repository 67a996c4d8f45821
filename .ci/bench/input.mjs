/**
 * The bench's traces: a capture of the shelf, repeated. Each repetition comes later by the
 * capture's length and has other packet and socket addresses, so that nothing of one is taken
 * for another's. Widths stay as the kernel prints them. The same every time; kept in `.cache/`.
 */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import { statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { cache, root, say } from '../shell.mjs';

/** Between a repetition's last event and the next one's first, in microseconds. */
const PAUSE = 20;
/** Raised when the same arguments make another file. */
const VERSION = 3;
/** The time of a line, and addresses in the direct map, where packets and sockets lie. */
const TIME = /^(.*)\[(\d{3})\](.*?\s)( *\d+)\.(\d{6}): /;
const ADDRESS = /ffff888([0-9a-f]{9})/;

/**
 * A trace of about `bytes` bytes or at least `lines` lines. Where several repetitions run
 * abreast, each has CPUs of its own and they are out of step, so that more is under way at once.
 * @returns {{ path: string, bytes: number, lines: number, capture: string }}
 */
export function inputOf(capture, { bytes = 0, lines: least = 0, abreast = 1 }) {
  const folder = join(cache, 'bench');
  const source = readFileSync(pathOf(capture));
  const text = gunzipSync(source).toString('latin1');
  const { header, lines } = parse(text);
  const rounds = Math.ceil(Math.max(bytes / text.length, least / lines.length) / abreast);
  const repetitions = rounds * abreast;
  const path = join(folder, `${capture}-${rounds}x${abreast}-v${VERSION}.trace`);
  if (!existsSync(path)) {
    mkdirSync(folder, { recursive: true });
    say(`writing ${repetitions} repetitions of ${capture} into .cache/bench`);
    write(`${path}.part`, header, lines, rounds, abreast);
    renameSync(`${path}.part`, path);
  }
  const count = header.length + lines.length * repetitions;
  return { path, bytes: statSync(path).size, lines: count, capture };
}

/** The capture itself, as the shelf keeps it. */
export const pathOf = (capture) => join(root, 'traces', capture, 'trace.txt.gz');

function parse(text) {
  const all = text.trimEnd().split('\n');
  const lines = all.flatMap((line) => {
    const found = TIME.exec(line);
    if (found === null) return [];
    const [matched, task, cpu, flags, seconds, micros] = found;
    return [
      {
        task,
        cpu: Number(cpu),
        flags,
        width: seconds.length,
        micros: Number(seconds) * 1e6 + Number(micros),
        // Odd places are the digits of addresses that stay; what is before them changes.
        after: line.slice(matched.length - 2).split(ADDRESS),
      },
    ];
  });
  return { header: all.filter((line) => line.startsWith('#')), lines };
}

function write(path, header, lines, rounds, abreast) {
  const file = openSync(path, 'w');
  const first = lines[0].micros;
  const period = lines.at(-1).micros - first + PAUSE;
  const cpus = Math.max(...lines.map(({ cpu }) => cpu)) + 1;
  writeSync(file, `${header.join('\n')}\n`, null, 'latin1');
  for (let round = 0; round < rounds; round += 1) {
    const text = [];
    for (let row = 0; row < abreast; row += 1) {
      const lag = Math.floor((row * period) / abreast);
      for (const line of lines) {
        // What would be later than the round belongs to the repetition that began before it.
        const at = line.micros - first + lag;
        const isLate = at >= period;
        const time = first + round * period + (isLate ? at - period : at);
        const repetition = (isLate ? round : round + 1) * abreast + row;
        text.push({ time, text: written(line, time, repetition, row * cpus) });
      }
    }
    if (abreast > 1) text.sort((one, other) => one.time - other.time);
    writeSync(file, `${text.map((line) => line.text).join('\n')}\n`, null, 'latin1');
  }
  closeSync(file);
}

function written({ task, cpu, flags, width, after }, time, repetition, firstCpu) {
  // The direct map as a kernel with five levels of page tables has it, at ff11000000000000
  // (Documentation/arch/x86/x86_64/mm.rst): there is room to count repetitions.
  const shifted = `ff1${(0x1888 + repetition).toString(16)}`;
  const seconds = String(Math.floor(time / 1e6)).padStart(width);
  const fraction = String(time % 1e6).padStart(6, '0');
  const rest = after.map((part, at) => (at % 2 === 0 ? part : shifted + part)).join('');
  return `${task}[${String(firstCpu + cpu).padStart(3, '0')}]${flags}${seconds}.${fraction}${rest}`;
}
