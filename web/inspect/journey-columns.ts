/**
 * The columns of the journey table, as data: their headings, their sort keys, and their place in a wide
 * table (one line for each row) and in a narrow one (two lines).
 */
import type { JourneySort } from '../core/journeys.ts';
import { m } from '../words/generated/messages.js';

export interface Column {
  readonly key: string;
  readonly name: () => string;
  /** The name for screen readers, if the visible one is short. */
  readonly fullName: () => string;
  readonly sort: JourneySort | undefined;
  readonly isNumber: boolean;
  /** Left out of the narrow table, as the filters or the packet's own view show it. */
  readonly isWideOnly: boolean;
}

type Word = () => string;

const column = (
  key: string,
  name: Word,
  fullName: Word,
  sort: JourneySort | undefined,
  isNumber: boolean,
  isWideOnly = false,
): Column => ({ key, name, fullName, sort, isNumber, isWideOnly });

export const COLUMNS: readonly Column[] = [
  column('number', m.column_packet, m.column_packet, undefined, false),
  column('start', m.column_start, m.column_start, 'start', true),
  column('flow', m.column_flow, m.column_flow, 'flow', false, true),
  column('direction', m.column_way, m.column_direction, undefined, false, true),
  column('bytes', m.column_bytes, m.column_bytes_full, 'bytes', true),
  column('cpus', m.column_cpu, m.column_cpus_full, 'cpus', false),
  column('service', m.column_service, m.column_service_full, 'service', true, true),
  column('wait', m.column_wait, m.column_wait_full, 'wait', true),
  column('total', m.column_total, m.column_total_full, 'duration', true),
  column('verdict', m.column_ended, m.column_ended_full, 'verdict', false),
];
