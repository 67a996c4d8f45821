/** Where interrupts and programs run, as text. */
import { m } from '../words/generated/messages.js';
import type { Placement, Where } from './placement.ts';

/** `CPU 0, 2` or `CPU 0–3`. */
export function cpusText(cpus: readonly number[]): string {
  const [first = 0, last = first] = [cpus[0], cpus.at(-1)];
  const isRow = cpus.length > 2 && last - first === cpus.length - 1;
  return m.cpu({ cpu: isRow ? `${first}–${last}` : cpus.join(', ') });
}

/** `CPU 0, 1 in turn`. */
export function whereText({ by, cpus }: Where): string {
  const told = { cpus: cpusText(cpus) };
  switch (by) {
    case 'to':
    case 'bound':
      return told.cpus;
    case 'turn':
      return m.lab_where_turn(told);
    case 'idle':
      return m.lab_where_idle(told);
    case 'queues':
      return m.lab_where_queues(told);
    case 'begin':
      return m.lab_where_begin(told);
  }
}

export function interruptsText({ interrupts }: Placement): string | undefined {
  return interrupts && whereText(interrupts);
}

export function programsText({ programs }: Placement): string | undefined {
  if (programs === undefined) return undefined;
  const told = { cpus: cpusText(programs.cpus) };
  return programs.by === 'bound' ? m.lab_where_bound_to(told) : m.lab_where_free(told);
}
