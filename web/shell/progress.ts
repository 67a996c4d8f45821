/**
 * How far an import or a simulation is, as the bar above the page says it.
 */
import type { Opening } from '../session/opening.ts';
import { formatBytes, formatCount, formatRoundNanos } from '../numbers/format.ts';
import { eventsText, linesText } from '../words/counts.ts';
import { m } from '../words/generated/messages.js';

export interface Shown {
  /** What the region is called, and what is being done to the thing that is named. */
  readonly kind: string;
  readonly doing: string;
  readonly done: string;
  readonly figures: string;
  readonly whole: number;
  /** Nothing: it has only begun. */
  readonly part: number | undefined;
}

export function progressOf(opening: Opening): Shown {
  return opening.kind === 'import'
    ? ofImport(opening)
    : ofSimulation(opening.name, opening.progress);
}

function ofImport({ name, progress, memory }: Extract<Opening, { kind: 'import' }>): Shown {
  const isRead = progress !== undefined && progress.bytes >= progress.totalBytes;
  const read = progress && [
    m.progress_of({
      part: formatBytes(progress.bytes),
      whole: formatBytes(progress.totalBytes),
    }),
    m.progress_rate({ rate: formatBytes(progress.megabytesPerSecond * 1e6) }),
    linesText(progress.lines),
  ];
  const figures = [
    ...(read ?? [m.progress_starting()]),
    ...(memory === undefined ? [] : [m.progress_memory({ memory: formatBytes(memory) })]),
    ...(isRead ? [m.progress_journeys()] : []),
  ];
  return {
    kind: m.progress_import(),
    doing: m.progress_opening({ name }),
    done: m.progress_read({ name }),
    figures: figures.join(' · '),
    whole: progress?.totalBytes ?? 1,
    part: progress?.bytes,
  };
}

function ofSimulation(
  name: string,
  progress: Extract<Opening, { kind: 'simulation' }>['progress'],
): Shown {
  const isRun = progress !== undefined && progress.simulated >= progress.duration;
  const figures = progress && [
    m.progress_of({
      part: formatRoundNanos(progress.simulated),
      whole: formatRoundNanos(progress.duration),
    }),
    eventsText(progress.events),
    m.progress_events_rate({ events: formatCount(progress.eventsPerSecond) }),
    ...(isRun ? [m.progress_journeys()] : []),
  ];
  return {
    kind: m.progress_simulation(),
    doing: m.progress_simulating({ name }),
    done: m.progress_simulated({ name }),
    figures: figures?.join(' · ') ?? m.progress_starting(),
    whole: progress?.duration ?? 1,
    part: progress?.simulated,
  };
}
