/**
 * The explanation of a thing of a model with its current values, for the tooltip, the screen reader and the
 * description in words.
 */
import type { Frame } from '../../core/frame.ts';
import type { Opened } from '../../core/core.ts';
import { NO_CPU } from '../../core/core.ts';
import type { Explanation } from '../explain.ts';
import { taskName } from '../heads.ts';
import { cacheOf, fetchedBy, holdingsOf, objectName } from './holdings.ts';
import { armedTimers, probeSums } from './notes.ts';
import { holdOf, preemptedBy, sliceLeft, spinOf, type Spin } from './status.ts';
import { formatNanos, formatShare } from '../../numbers/format.ts';
import { framesText, probesText } from '../../words/counts.ts';
import { m } from '../../words/generated/messages.js';
import { countText, pricedText, shortLinesText, statesText, type HeldLines } from './texts.ts';

export function cacheExplanation(cpu: number, frame: Frame, run: Opened): Explanation {
  const cache = cacheOf(run, cpu);
  const cpus = run.machine.caches[cache] ?? [];
  const holdings = holdingsOf(frame, run, cache);
  const fetched = fetchedBy(frame, cpus);
  const { fills } = frame.machine;
  const rows = [...fills.cpu.keys()].filter((row) => cpus.includes(fills.cpu[row] ?? NO_CPU));
  const sum = (column: Float64Array) => rows.reduce((all, row) => all + (column[row] ?? 0), 0);
  const size = run.machine.cacheLines;
  const what = holdings.map(({ name, lines }) => `${name} ${countText(lines)}`).join(', ');
  const states = statesText(sumOf(holdings));
  return {
    title: m.stage_cache_of({ cpus: cpus.join(', ') }),
    lines: [
      holdings.length === 0
        ? m.stage_explain_cache_empty()
        : size > 0
          ? m.stage_explain_cache_holds_of({ what, size: shortLinesText(size) })
          : m.stage_explain_cache_holds({ what }),
      ...(states === '' ? [] : [m.stage_explain_cache_states({ states })]),
      m.stage_explain_from_caches({ lines: pricedText(fetched.lines, fetched.cycles) }),
      m.stage_explain_from_memory({ lines: pricedText(sum(fills.lines), sum(fills.cycles)) }),
    ],
    source: '',
  };
}

function sumOf(held: readonly HeldLines[]): HeldLines {
  const sum = (of: keyof HeldLines) => held.reduce((all, one) => all + one[of], 0);
  return {
    lines: sum('lines'),
    modified: sum('modified'),
    exclusive: sum('exclusive'),
    shared: sum('shared'),
    invalidated: sum('invalidated'),
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
    const each = countText(Math.round(price / Math.max(1, count)));
    const priced = pricedText(count, price);
    return count > 0 ? m.stage_explain_priced_each({ lines: priced, each }) : priced;
  };
  const names = [...kinds].map(([name, lines]) => `${name} ${countText(lines)}`);
  return {
    title: m.stage_explain_lines_between({ from, to }),
    lines: [
      m.stage_explain_just_now({ what: told(flows.recentLines, flows.recentCycles) }),
      ...(names.length > 0 ? [m.stage_explain_among({ what: names.join(', ') })] : []),
      m.stage_explain_so_far({ what: told(flows.lines, flows.cycles) }),
    ],
    source: '',
  };
}

/** Lines about a CPU that only a model can give. */
export function cpuLines(cpu: number, at: number, frame: Frame, run: Opened): readonly string[] {
  const spin = spinOf(frame, run, cpu);
  const hold = holdOf(frame, run, cpu);
  const left = sliceLeft(frame, at);
  const preempted = preemptedBy(frame, run, at);
  const waiting = waitingFor(frame, run, cpu);
  const { costs } = frame.machine;
  const cost = costs.cpu.indexOf(cpu);
  return [
    spin === undefined ? '' : spinText(spin, frame.time),
    hold === undefined
      ? ''
      : m.stage_explain_holds({
          lock: hold.name,
          cpus: m.stage_cpus({ cpus: hold.waiting.join(', ') }),
        }),
    left === undefined ? '' : m.scheduler_slice({ time: formatNanos(left) }),
    preempted === undefined ? '' : m.scheduler_pushed_out({ task: preempted }),
    waiting.length === 0 ? '' : m.stage_explain_run_queue({ tasks: waiting.join(', ') }),
    cost === -1
      ? ''
      : m.stage_explain_probes({
          time: formatNanos(costs.nanos[cost] ?? 0),
          share: formatShare(costs.nanos[cost] ?? 0, Math.max(1, frame.time)),
        }),
  ].filter((line) => line !== '');
}

function spinText({ name: lock, since, holder }: Spin, now: number): string {
  const time = formatNanos(now - since);
  return holder === NO_CPU
    ? m.stage_spins_on({ time, lock })
    : m.stage_spins_held({ time, lock, cpu: holder });
}

/** The tasks in a CPU's run queue. */
function waitingFor(frame: Frame, run: Opened, cpu: number): readonly string[] {
  const { waits } = frame.machine;
  return [...waits.cpu.keys()]
    .filter((row) => waits.cpu[row] === cpu)
    .flatMap((row) => taskName(run, waits.pid[row] ?? 0) ?? []);
}

export function lockExplanation(lock: number, frame: Frame, run: Opened): Explanation {
  const { locks } = frame.machine;
  const holder = locks.holder[locks.lock.indexOf(lock)] ?? NO_CPU;
  return {
    title: `${m.machine_lock()} ${run.machine.locks[lock] ?? ''}`.trim(),
    lines: [
      holder === NO_CPU ? m.stage_explain_let_go() : m.stage_explain_held_by({ cpu: holder }),
      ...spinLines(frame, lock),
      m.stage_explain_spinning(),
    ],
    source: '',
  };
}

export function locksExplanation(frame: Frame, run: Opened): Explanation {
  const { locks, lockWaits, lockWaited } = frame.machine;
  const now = [...locks.lock].flatMap((lock) => {
    const name = run.machine.locks[lock] ?? '';
    return spinLines(frame, lock).map((line) => `${name}: ${line}`);
  });
  return {
    title: m.caches_object_lock(),
    lines: [
      m.locks_so_far({ count: lockWaits, time: formatNanos(lockWaited) }),
      ...(now.length > 0 ? now : [m.stage_explain_no_waits()]),
    ],
    source: '',
  };
}

function spinLines(frame: Frame, lock: number): readonly string[] {
  const { spins } = frame.machine;
  return [...spins.lock.keys()]
    .filter((row) => spins.lock[row] === lock)
    .map((row) =>
      m.stage_explain_cpu_spins({
        cpu: spins.cpu[row] ?? 0,
        time: formatNanos(frame.time - (spins.since[row] ?? frame.time)),
      }),
    );
}

export function timerExplanation(timer: number, frame: Frame, run: Opened): Explanation {
  const armed = armedTimers(frame, run).find((candidate) => candidate.timer === timer);
  const device = run.machine.timers[timer] ?? '';
  return {
    title:
      device === '' ? m.stage_explain_moderation() : `${m.stage_explain_moderation()} · ${device}`,
    lines: [
      armed === undefined
        ? m.stage_explain_none_held()
        : m.stage_explain_fires({ time: formatNanos(armed.left), frames: framesText(armed.held) }),
      m.stage_explain_moderation_what(),
    ],
    source: '',
  };
}

export function costsExplanation(frame: Frame, run: Opened): Explanation {
  const { costs } = frame.machine;
  const { nanos, probes } = probeSums(frame, 0);
  return {
    title: m.machine_probes_cost(),
    lines: [
      m.stage_explain_took({ what: probesText(probes), time: formatNanos(nanos) }),
      ...[...costs.cpu].map((cpu, row) => {
        const own = costs.nanos[row] ?? 0;
        const share = formatShare(own, Math.max(1, frame.time));
        return m.stage_explain_cpu_cost({ cpu, time: formatNanos(own), share });
      }),
      ...(run.origin === 'simulated' ? [m.stage_explain_measuring()] : []),
    ],
    source: '',
  };
}

/** The part of a frame's description that only a model can give, as sentences. */
export function machineSentences(frame: Frame, run: Opened): readonly string[] {
  const { machine } = run;
  const sentences = run.cpus.flatMap((cpu, at) =>
    cpuLines(cpu, at, frame, run).map((line) => `${m.cpu({ cpu })}: ${line}.`),
  );
  machine.caches.forEach((cpus, cache) => {
    const held = holdingsOf(frame, run, cache).map(
      ({ name, lines }) => `${name} ${countText(lines)}`,
    );
    if (held.length > 0) {
      sentences.push(m.describe_cache({ cpus: cpus.join(', '), what: held.join(', ') }));
    }
  });
  const { flows } = frame.machine;
  flows.from.forEach((from, row) => {
    sentences.push(
      m.describe_moved({
        ...{ from, to: flows.to[row] ?? 0 },
        lines: shortLinesText(flows.lines[row] ?? 0),
        recent: shortLinesText(flows.recentLines[row] ?? 0),
      }),
    );
  });
  for (const { device, left, held } of armedTimers(frame, run)) {
    const told = { frames: framesText(held), time: formatNanos(left) };
    sentences.push(
      device === '' ? m.describe_nic_holds(told) : m.describe_device_holds({ ...told, device }),
    );
  }
  return sentences;
}
