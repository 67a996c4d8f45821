/**
 * What a thing of a model is, in the moment's numbers: for the tooltip, the screen reader
 * and the list in words.
 */
import type { Frame } from '../../core/frame.ts';
import type { Opened } from '../../core/core.ts';
import { NO_CPU } from '../../core/core.ts';
import type { Explanation } from '../explain.ts';
import { taskName } from '../heads.ts';
import { counted, nanosText } from '../text.ts';
import { cacheOf, fetchedBy, holdingsOf, objectName } from './holdings.ts';
import { armedTimers, probeSums } from './notes.ts';
import { holdOf, preemptedBy, sliceLeft, spinOf } from './status.ts';
import { countText, linesText, shareText } from './texts.ts';

export function cacheExplanation(cpu: number, frame: Frame, run: Opened): Explanation {
  const cache = cacheOf(run, cpu);
  const cpus = run.machine.caches[cache] ?? [];
  const holdings = holdingsOf(frame, run, cache);
  const fetched = fetchedBy(frame, cpus);
  const { fills } = frame.machine;
  const rows = [...fills.cpu.keys()].filter((row) => cpus.includes(fills.cpu[row] ?? NO_CPU));
  const sum = (column: Float64Array) => rows.reduce((all, row) => all + (column[row] ?? 0), 0);
  const size = run.machine.cacheLines;
  return {
    title: `cache of CPU ${cpus.join(' and ')}`,
    lines: [
      holdings.length === 0
        ? 'holds no line of what the stack works on'
        : `holds ${holdings.map(({ name, lines }) => `${name} ${countText(lines)}`).join(', ')}` +
          (size > 0 ? `, of ${linesText(size)}` : ''),
      `fetched from other caches: ${linesText(fetched.lines)} for ${countText(fetched.cycles)} cycles`,
      `fetched from memory: ${linesText(sum(fills.lines))} for ${countText(sum(fills.cycles))} cycles`,
    ],
    source: '',
  };
}

export function moveExplanation(from: number, to: number, frame: Frame, run: Opened): Explanation {
  const { flows, moves } = frame.machine;
  const row = [...flows.from.keys()].find((at) => flows.from[at] === from && flows.to[at] === to);
  const kinds = new Map<string, number>();
  moves.at.forEach((_, at) => {
    if (moves.from[at] !== from || moves.to[at] !== to) return;
    const name = objectName(run, moves.object[at] ?? 0);
    kinds.set(name, (kinds.get(name) ?? 0) + (moves.lines[at] ?? 0));
  });
  const told = (lines: Float64Array, cycles: Float64Array) => {
    const [count, price] = [lines[row ?? -1] ?? 0, cycles[row ?? -1] ?? 0];
    const each = count > 0 ? `, ${Math.round(price / count)} each` : '';
    return `${linesText(count)} for ${countText(price)} cycles${each}`;
  };
  const names = [...kinds].map(([name, lines]) => `${name} ${countText(lines)}`);
  return {
    title: `cache lines from CPU ${from} to CPU ${to}`,
    lines: [
      `just now: ${told(flows.recentLines, flows.recentCycles)}`,
      ...(names.length > 0 ? [`among them: ${names.join(', ')}`] : []),
      `so far: ${told(flows.lines, flows.cycles)}`,
    ],
    source: '',
  };
}

/** Lines about a CPU beyond what any recording tells. */
export function cpuLines(cpu: number, at: number, frame: Frame, run: Opened): readonly string[] {
  const spin = spinOf(frame, run, cpu);
  const hold = holdOf(frame, run, cpu);
  const left = sliceLeft(frame, at);
  const preempted = preemptedBy(frame, run, at);
  const waiting = waitingFor(frame, run, cpu);
  const { costs } = frame.machine;
  const cost = costs.cpu.indexOf(cpu);
  return [
    spin === undefined
      ? ''
      : `spins on ${spin.name} for ${nanosText(frame.time - spin.since)}${spin.holder === NO_CPU ? '' : `; CPU ${spin.holder} holds it`}`,
    hold === undefined ? '' : `holds ${hold.name}; CPU ${hold.waiting.join(', ')} spins`,
    left === undefined ? '' : `${nanosText(left)} of its time slice left`,
    preempted === undefined ? '' : `it preempted ${preempted}`,
    waiting.length === 0 ? '' : `in the run queue: ${waiting.join(', ')}`,
    cost === -1
      ? ''
      : `probes took ${nanosText(costs.nanos[cost] ?? 0)} so far, ${shareText((costs.nanos[cost] ?? 0) / Math.max(1, frame.time))} of its time`,
  ].filter((line) => line !== '');
}

/** The tasks at the head of a CPU's run queue. */
function waitingFor(frame: Frame, run: Opened, cpu: number): readonly string[] {
  const { waiting } = frame.machine;
  return [...waiting.cpu.keys()]
    .filter((row) => waiting.cpu[row] === cpu)
    .flatMap((row) => taskName(run, waiting.pid[row] ?? 0) ?? []);
}

export function lockExplanation(lock: number, frame: Frame, run: Opened): Explanation {
  const { locks } = frame.machine;
  const holder = locks.holder[locks.lock.indexOf(lock)] ?? NO_CPU;
  return {
    title: `lock ${run.machine.locks[lock] ?? ''}`.trim(),
    lines: [
      holder === NO_CPU ? 'let go; who has it next is not decided' : `held by CPU ${holder}`,
      ...spinLines(frame, lock),
      'Who spins does nothing else until the lock is free.',
    ],
    source: '',
  };
}

export function locksExplanation(frame: Frame, run: Opened): Explanation {
  const { locks, lockWaits, lockWaited } = frame.machine;
  const now = [...locks.lock].flatMap((lock) => {
    const name = run.machine.locks[lock] ?? 'lock';
    return spinLines(frame, lock).map((line) => `${name}: ${line}`);
  });
  return {
    title: 'locks',
    lines: [
      `${counted(lockWaits, 'wait')} so far; those that are over took ${nanosText(lockWaited)}`,
      ...(now.length > 0 ? now : ['nobody waits for a lock now']),
    ],
    source: '',
  };
}

function spinLines(frame: Frame, lock: number): readonly string[] {
  const { spins } = frame.machine;
  return [...spins.lock.keys()]
    .filter((row) => spins.lock[row] === lock)
    .map(
      (row) =>
        `CPU ${spins.cpu[row] ?? 0} spins for ${nanosText(frame.time - (spins.since[row] ?? frame.time))}`,
    );
}

export function timerExplanation(timer: number, frame: Frame, run: Opened): Explanation {
  const armed = armedTimers(frame, run).find((candidate) => candidate.timer === timer);
  const device = run.machine.timers[timer] ?? '';
  return {
    title: `interrupt moderation${device === '' ? '' : ` · ${device}`}`,
    lines: [
      armed === undefined
        ? 'no interrupt is held back'
        : `fires in ${nanosText(armed.left)}; ${counted(armed.held, 'frame')} held back`,
      'The NIC waits a little before it interrupts, so that one interrupt serves several frames.',
    ],
    source: '',
  };
}

export function costsExplanation(frame: Frame, run: Opened): Explanation {
  const { costs } = frame.machine;
  const { nanos, probes } = probeSums(frame, 0);
  return {
    title: 'what the probes cost',
    lines: [
      `${counted(probes, 'probe')} took ${nanosText(nanos)} so far`,
      ...[...costs.cpu].map((cpu, row) => {
        const own = costs.nanos[row] ?? 0;
        return `CPU ${cpu}: ${nanosText(own)}, ${shareText(own / Math.max(1, frame.time))} of its time`;
      }),
      ...(run.origin === 'simulated' ? ['Measuring takes time from what is measured.'] : []),
    ],
    source: '',
  };
}

/** What only a model tells of a moment, as sentences. */
export function machineSentences(frame: Frame, run: Opened): readonly string[] {
  const { machine } = run;
  const sentences = run.cpus.flatMap((cpu, at) =>
    cpuLines(cpu, at, frame, run).map((line) => `CPU ${cpu}: ${line}.`),
  );
  machine.caches.forEach((cpus, cache) => {
    const held = holdingsOf(frame, run, cache).map(
      ({ name, lines }) => `${name} ${countText(lines)}`,
    );
    if (held.length > 0) {
      sentences.push(`Lines in the cache of CPU ${cpus.join(' and ')}: ${held.join(', ')}.`);
    }
  });
  const { flows } = frame.machine;
  flows.from.forEach((from, row) => {
    const so = `${linesText(flows.lines[row] ?? 0)} so far, ${linesText(flows.recentLines[row] ?? 0)} just now`;
    sentences.push(`From the cache of CPU ${from} to CPU ${flows.to[row] ?? 0}: ${so}.`);
  });
  for (const { device, left, held } of armedTimers(frame, run)) {
    const frames = counted(held, 'frame');
    sentences.push(`${device || 'The NIC'} holds ${frames} back for another ${nanosText(left)}.`);
  }
  return sentences;
}
