/**
 * How the time of an import grows with the size of what comes in, for shapes of input that a host
 * or a hostile file may have. Each shape is opened in the worker at two sizes; of a time that grows
 * as the size to the power p, p is printed: 1 is linear.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from '../shell.mjs';

/** The larger input has so many times the lines of the smaller one. */
const TIMES = 6;
/** Lines of the smaller input. */
const LINES = 100_000;

const stamp = (line) => `${Math.floor(line / 1e6) + 1}.${String(line % 1e6).padStart(6, '0')}`;
const ftrace = (line, what) => `          <idle>-0       [000] ..s1.     ${stamp(line)}: ${what}`;
const address = (number) => `ffff${(0x888000000000 + number).toString(16)}`;

/** A line of each shape, by its number. */
const SHAPES = {
  'addresses aligned to 256 bytes': (line) =>
    ftrace(line, `consume_skb: skbaddr=${address(line * 256)}`),
  'one address for all': (line) => ftrace(line, `consume_skb: skbaddr=${address(256)}`),
  'names of events that nobody knows': (line) => ftrace(line, `event_${line}: a=1`),
  'lines that are no lines': (line) => `what is line ${line}?`,
  'records of one packet, all alike': (line) => `${line} id 6 seq 0 thread 1 ts ${stamp(line)} x90`,
  'records of one packet, of all sizes': (line) =>
    `${line} id ${6 + (line % 2)} seq 0 thread 1 ts ${stamp(line)} x${1 + (line % 4096)}`,
  'records of as many packets': (line) => `${line} id 6 seq ${line} thread 1 ts ${stamp(line)} x90`,
  'sockets of one port': (line) =>
    `${line} ev sock_def_readable ts ${stamp(line)} cpu 0 ctx softirq pid 0 sk ${address(line * 1024)} sport 80`,
  processes: (line) =>
    ftrace(line, `sched_wakeup: comm=task${line} pid=${line + 1} prio=120 target_cpu=000`),
  CPUs: (line) =>
    ftrace(line, 'softirq_raise: vec=3 [action=NET_RX]').replace(
      '[000]',
      `[${String(line % 5000).padStart(3, '0')}]`,
    ),
  'softirqs that never end': (line) => ftrace(line, 'softirq_entry: vec=3 [action=NET_RX]'),
};

/** The shapes' files at both sizes, written where they are not there yet. */
export function growthInputs() {
  const folder = join(cache, 'bench');
  mkdirSync(folder, { recursive: true });
  return Object.entries(SHAPES).map(([name, of], at) => ({
    name,
    inputs: [LINES, LINES * TIMES].map((lines) => {
      const path = join(folder, `growth-${at}-${lines}.trace`);
      const text = Array.from({ length: lines }, (_, line) => of(line + 1));
      const known = `          <idle>-0       [000] ..s1.     0.900000: softirq_raise: vec=3 [action=NET_RX]`;
      if (!name.startsWith('records') && !name.startsWith('sockets')) text.unshift(known);
      writeFileSync(path, `${text.join('\n')}\n`);
      return { path, lines };
    }),
  }));
}

/** The power of the size with which a time grows. */
export const powerOf = ([small, large]) => Math.log(large / small) / Math.log(TIMES);
