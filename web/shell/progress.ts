/**
 * How far an import or a simulation is, as the bar above the page says it.
 */
import type { Opening } from '../session/session.svelte.ts';
import { formatBytes, formatCounted, formatRoundNanos } from '../ui/format.ts';

export interface Shown {
  /** What the region is called, and what is being done to the thing that is named. */
  readonly kind: 'Import' | 'Simulation';
  readonly doing: string;
  readonly done: string;
  readonly figures: string;
  readonly whole: number;
  /** Nothing: it has only begun. */
  readonly part: number | undefined;
}

const STARTING = 'Starting …';

export function progressOf(opening: Opening): Shown {
  return opening.kind === 'import' ? ofImport(opening.progress) : ofSimulation(opening.progress);
}

function ofImport(progress: Extract<Opening, { kind: 'import' }>['progress']): Shown {
  const isRead = progress !== undefined && progress.bytes >= progress.totalBytes;
  const figures = progress && [
    `${formatBytes(progress.bytes)} of ${formatBytes(progress.totalBytes)}`,
    `${progress.megabytesPerSecond.toFixed(0)} MB/s`,
    formatCounted(progress.lines, 'line'),
    ...(isRead ? ['putting journeys together …'] : []),
  ];
  return {
    ...{ kind: 'Import', doing: 'Opening', done: 'Read' },
    figures: figures?.join(' · ') ?? STARTING,
    whole: progress?.totalBytes ?? 1,
    part: progress?.bytes,
  };
}

function ofSimulation(progress: Extract<Opening, { kind: 'simulation' }>['progress']): Shown {
  const isRun = progress !== undefined && progress.simulated >= progress.duration;
  const figures = progress && [
    `${formatRoundNanos(progress.simulated)} of ${formatRoundNanos(progress.duration)}`,
    formatCounted(progress.events, 'event'),
    `${(progress.eventsPerSecond / 1e6).toFixed(1)} million a second`,
    ...(isRun ? ['putting journeys together …'] : []),
  ];
  return {
    ...{ kind: 'Simulation', doing: 'Simulating', done: 'Simulated' },
    figures: figures?.join(' · ') ?? STARTING,
    whole: progress?.duration ?? 1,
    part: progress?.simulated,
  };
}
