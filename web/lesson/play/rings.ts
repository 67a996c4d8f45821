/**
 * Maps a step's targets to the things of a run around which the stage draws rings. A kernel function has no
 * place on the stage, so it has no ring; the lesson shows its name.
 */
import type { Ringed } from '../../scene/rings.ts';
import { laneOfStation } from '../../scene/rows.ts';
import type { Target } from '../format/lesson.ts';
import { findingOf, packetOf } from './moments.ts';
import { indexOfWord, type LessonRun } from './run.ts';

/** Throws an Error if the run has no such thing. */
export async function ringOf(run: LessonRun, target: Target): Promise<readonly Ringed[]> {
  const { stations, queues: kinds, probes } = run.glossary;
  switch (target.kind) {
    case 'station': {
      const station = indexOfWord(stations, target.name, 'station');
      const lane = laneOfStation(target.name);
      return [
        { kind: 'station', station },
        ...(lane === undefined ? [] : [{ kind: 'lane', lane } as const]),
      ];
    }
    case 'queue': {
      const wanted = indexOfWord(kinds, target.name, 'queue');
      const queues = run.opened.queues.flatMap(({ kind }, at) => (kind === wanted ? [at] : []));
      if (queues.length === 0) throw new Error(`this run has no ${target.name}`);
      return [{ kind: 'queues', queues }];
    }
    case 'function':
      indexOfWord(probes, target.name, 'function');
      return [];
    case 'finding': {
      const { packet } = await findingOf(run, target.name);
      return packet === undefined ? [] : [{ kind: 'packet', packet }];
    }
    case 'cpu':
      if (!run.opened.cpus.includes(target.cpu))
        throw new Error(`this run has no CPU ${target.cpu}`);
      return [{ kind: 'cpu', cpu: target.cpu }];
    case 'packet':
      return [{ kind: 'packet', packet: await packetOf(run, target.packet) }];
  }
}
