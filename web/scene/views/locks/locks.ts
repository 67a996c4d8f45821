/**
 * The view of the locks: a row for each lock that any CPU waited for, CPUs as columns under their heads.
 * The holder is filled; a CPU that spins on the lock is hollow, with its place in the order and its waiting
 * time; a line leads from it to the holder.
 */
import { NO_CPU } from '../../../core/core.ts';
import type { Frame } from '../../../core/frame.ts';
import type { Rect, Shape, Thing, View } from '../../shapes.ts';
import type { CpuColumn, Ground } from '../ground.ts';
import { headsBottom, headShapes } from '../heads.ts';
import { card, honest, line, LINE } from '../parts.ts';
import type { Drawn } from '../picture.ts';
import { formatNanos } from '../../../numbers/format.ts';
import { m } from '../../../words/generated/messages.js';

/** Heights in text sizes. */
const ROW = 4.6;
const FOOT = 2;

interface LockRow {
  readonly lock: number;
  readonly name: string;
  readonly holder: number;
  readonly spinners: readonly { readonly cpu: number; readonly since: number }[];
}

export function drawLocks(ground: Ground, frame: Frame, view: View): Drawn {
  const rows = lockRows(ground, frame);
  return {
    height: locksHeight(ground),
    shapes: locksShapes(ground, frame, rows, view),
    sentences: () => lockSentences(frame, rows),
  };
}

function locksHeight(ground: Ground): number {
  const { em, gap } = ground;
  return Math.max(ground.height, headsBottom(ground) + (2 * ROW + FOOT) * em + gap);
}

/** The locks to show: those that CPUs wait for, and as many others as fit. */
function lockRows(ground: Ground, frame: Frame): readonly LockRow[] {
  const { em, run } = ground;
  const { locks, spins } = frame.machine;
  const room = Math.max(
    1,
    Math.floor((locksHeight(ground) - headsBottom(ground) - FOOT * em) / (ROW * em)),
  );
  const isWaited = (lock: number) => locks.lock.includes(lock);
  const all = run.machine.locks.map((name, lock) => ({ name, lock }));
  // Each lock keeps its place if all fit; else contended locks come first.
  const kept =
    all.length <= room
      ? all
      : [
          ...all.filter(({ lock }) => isWaited(lock)),
          ...all.filter(({ lock }) => !isWaited(lock)),
        ].slice(0, room);
  return kept.map(({ name, lock }) => ({
    ...{ name, lock },
    holder: locks.holder[locks.lock.indexOf(lock)] ?? NO_CPU,
    spinners: [...spins.lock.keys()]
      .filter((row) => spins.lock[row] === lock)
      .map((row) => ({ cpu: spins.cpu[row] ?? NO_CPU, since: spins.since[row] ?? frame.time }))
      .sort((a, b) => a.since - b.since || a.cpu - b.cpu),
  }));
}

function locksShapes(
  ground: Ground,
  frame: Frame,
  rows: readonly LockRow[],
  view: View,
): readonly Shape[] {
  const heads = headShapes(ground, frame, view);
  const top = headsBottom(ground);
  if (ground.run.machine.locks.length === 0) {
    const why =
      ground.run.origin === 'recorded' ? m.locks_none_recorded() : m.locks_none_simulated();
    return [...heads, ...honest(ground, top, m.locks_none(), why)];
  }
  const { em, gap, width, run } = ground;
  const { lockWaits, lockWaited } = frame.machine;
  const hidden = run.machine.locks.length - rows.length;
  const more = hidden > 0 ? ` · ${m.locks_more({ count: hidden })}` : '';
  return [
    ...heads,
    ...rows.flatMap((row, at) => rowShapes(ground, frame, row, top + at * ROW * em)),
    ...line(ground, {
      text: `${m.locks_so_far({ count: lockWaits, time: formatNanos(lockWaited) })}${more}`,
      ...{ x: gap, y: locksHeight(ground) - gap - LINE * em, width: width - 2 * gap },
      ...{ colour: 'ink-muted', thing: { kind: 'locks' } },
    }),
  ];
}

function rowShapes(ground: Ground, frame: Frame, row: LockRow, y: number): readonly Shape[] {
  const { em, gap, width, shown } = ground;
  const thing: Thing = { kind: 'lock', lock: row.lock };
  const isWaited = row.spinners.length > 0;
  const cellY = y + em * (LINE + 0.15);
  const height = em * 2.5;
  const cellOf = (column: CpuColumn): Rect => ({
    x: column.x,
    y: cellY,
    width: column.width,
    height,
  });
  const state = isWaited ? m.locks_waited({ count: row.spinners.length }) : m.locks_free();
  const middle = cellY + height / 2;
  const holder = shown.find(({ cpu }) => cpu === row.holder);
  return [
    ...line(ground, {
      ...{ text: `${row.name} · ${state}`, x: gap, y, width: width - 2 * gap, thing },
      ...{ isBold: isWaited, colour: isWaited ? 'ink' : 'ink-muted' },
    }),
    ...row.spinners.flatMap(({ cpu }): readonly Shape[] => {
      const column = shown.find((one) => one.cpu === cpu);
      if (column === undefined || holder === undefined) return [];
      const isRight = column.x > holder.x;
      const from = [isRight ? column.x : column.x + column.width, middle] as const;
      const to = [isRight ? holder.x + holder.width : holder.x, middle] as const;
      const x = Math.min(from[0], to[0]);
      return [
        {
          ...{
            kind: 'arc',
            from,
            to,
            depth: em * 0.5,
            thickness: 2,
            dots: [],
            colour: 'lock',
            thing,
          },
          rect: { x, y: middle, width: Math.abs(from[0] - to[0]), height: em * 0.5 },
        },
      ];
    }),
    ...shown.flatMap((column) => cellShapes(ground, frame, row, column.cpu, cellOf(column))),
  ];
}

function cellShapes(
  ground: Ground,
  frame: Frame,
  row: LockRow,
  cpu: number,
  rect: Rect,
): readonly Shape[] {
  const { em } = ground;
  const thing: Thing = { kind: 'lock', lock: row.lock };
  const place = row.spinners.findIndex((one) => one.cpu === cpu);
  const inner = {
    x: rect.x + em * 0.6,
    width: rect.width - em * 1.2,
    y: rect.y + (rect.height - em * LINE) / 2,
  };
  const spinner = row.spinners[place];
  if (spinner !== undefined) {
    const time = formatNanos(Math.max(0, frame.time - spinner.since));
    const text = m.locks_spins({ place: place + 1, time });
    return [
      card(ground, rect, { line: 'lock', lineWidth: 2, isDashed: true, thing }),
      ...line(ground, { ...inner, text, isBold: true, colour: 'lock-text', thing }),
    ];
  }
  if (row.holder === cpu) {
    return [
      card(ground, rect, { fill: 'lock', line: 'lock', lineWidth: 2, thing }),
      ...line(ground, { ...inner, text: m.locks_holds(), isBold: true, colour: 'on-lock', thing }),
    ];
  }
  return [card(ground, rect, { fill: 'well', thing })];
}

/** Which CPU spins on which lock, and which one holds it. */
function lockSentences(frame: Frame, rows: readonly LockRow[]): readonly string[] {
  return rows
    .filter(({ spinners }) => spinners.length > 0)
    .map(({ name: lock, holder, spinners }) => {
      const held = holder === NO_CPU ? '' : `${m.cpu({ cpu: holder })}: ${m.locks_holds()}, `;
      const spins = spinners.map(({ cpu, since }, place) => {
        const time = formatNanos(Math.max(0, frame.time - since));
        return `${m.cpu({ cpu })}: ${m.locks_spins({ time, place: place + 1 })}`;
      });
      return `${lock}: ${held}${spins.join(', ')}.`;
    });
}
