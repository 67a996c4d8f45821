/**
 * A part of a file in words and numbers: what is opened of it, and about what that takes.
 */
import type { Excerpt, Survey } from '../core/core.ts';
import { formatUngrouped } from '../numbers/format.ts';
import { m } from '../words/generated/messages.js';

/** Seconds of the trace's clock as the file has them. */
export const secondsOf = (nanos: number): string => formatUngrouped(nanos / 1e9, 6);

/** Seconds as they were typed, with a point or a comma, in nanoseconds: nothing for nothing, NaN for what is no time. */
export function nanosOf(typed: string): number | undefined {
  const text = typed.trim().replace(',', '.');
  if (text === '') return undefined;
  return /^\d+(\.\d*)?$/.test(text) ? Math.round(Number(text) * 1e9) : Number.NaN;
}

/** `CPU 3`, `from 10 s to 12 s`, or both. */
export function partText({ cpu, from, to }: Excerpt): string {
  const parts = [
    cpu === undefined ? undefined : m.part_cpu({ cpu }),
    from === undefined ? undefined : m.part_from({ time: secondsOf(from) }),
    to === undefined ? undefined : m.part_to({ time: secondsOf(to) }),
  ];
  return parts.filter((part) => part !== undefined).join(' ');
}

/** About how many bytes a part takes, as if all CPUs and all moments had equally much. */
export function memoryOf({ memory, cpus, from, to }: Survey, excerpt: Excerpt): number {
  const ofCpus = excerpt.cpu === undefined ? 1 : 1 / Math.max(1, cpus.length);
  if (to === undefined || to <= from) return memory * ofCpus;
  const begin = Math.max(excerpt.from ?? from, from);
  const end = Math.min(excerpt.to ?? to, to);
  return (memory * ofCpus * Math.max(0, end - begin)) / (to - from);
}
