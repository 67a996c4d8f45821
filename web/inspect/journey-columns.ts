/**
 * The columns of the journey table, as data: what heads them, what they sort by, and where
 * they stand in a wide table (one line a row) and in a narrow one (two lines).
 */
import type { JourneySort } from '../core/journeys.ts';

export interface Column {
  readonly key: string;
  readonly name: string;
  /** Said in full to screen readers where the name is short. */
  readonly fullName: string;
  readonly sort: JourneySort | undefined;
  readonly isNumber: boolean;
  /** Left out of the narrow table, where the filters and the packet's own view tell it. */
  readonly isWideOnly: boolean;
}

const column = (
  key: string,
  name: string,
  fullName: string,
  sort: JourneySort | undefined,
  isNumber: boolean,
  isWideOnly = false,
): Column => ({ key, name, fullName, sort, isNumber, isWideOnly });

export const COLUMNS: readonly Column[] = [
  column('number', 'packet', 'packet', undefined, false),
  column('start', 'start', 'start', 'start', true),
  column('flow', 'flow', 'flow', 'flow', false, true),
  column('direction', 'way', 'direction', undefined, false, true),
  column('bytes', 'bytes', 'bytes and parts', 'bytes', true),
  column('cpus', 'CPU', 'first and last CPU; sorts by how many', 'cpus', false),
  column('service', 'service', 'service time', 'service', true, true),
  column('wait', 'wait', 'waiting time', 'wait', true),
  column('total', 'total', 'total time', 'duration', true),
  column('verdict', 'ended', 'how it ended', 'verdict', false),
];
