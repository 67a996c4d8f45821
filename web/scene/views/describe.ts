/**
 * What a view tells beyond what every view tells of a moment (`web/scene/describe.ts`), in
 * words: for those who cannot see it.
 */
import { NO_CPU } from '../../core/core.ts';
import type { Frame } from '../../core/frame.ts';
import { m } from '../../words/generated/messages.js';
import { countText, linesText, shareText } from '../machine/texts.ts';
import { nanosText } from '../text.ts';
import { copyOf } from './caches/copy.ts';
import { heldBy } from './caches/inferred.ts';
import type { Ground } from './ground.ts';
import { lockRows } from './locks/locks.ts';
import type { SideView } from './picture.ts';
import { waitersOf, whyText } from './scheduler/scheduler.ts';

/** Sentences of a view, in the order in which one reads it. */
export function describeView(name: SideView, ground: Ground, frame: Frame): readonly string[] {
  switch (name) {
    case 'queues':
      // Depths, limits and drops are part of every moment's description.
      return [];
    case 'caches':
      return ground.run.machine.caches.length > 0
        ? copySentences(ground, frame)
        : inferredSentences(ground, frame);
    case 'scheduler':
      return ground.run.cpus.flatMap((cpu) =>
        waitersOf(ground, frame, cpu).map(
          (waiter, place) =>
            `CPU ${cpu}, ${place + 1}: ${waiter.name}, ${whyText(ground, waiter)}, ${m.scheduler_waits({ time: nanosText(Math.max(0, frame.time - waiter.since)) })}.`,
        ),
      );
    case 'locks':
      return lockRows(ground, frame)
        .filter(({ spinners }) => spinners.length > 0)
        .map(({ name: lock, holder, spinners }) => {
          const held = holder === NO_CPU ? '' : `CPU ${holder}: ${m.locks_holds()}, `;
          const spins = spinners.map(({ cpu, since }, place) => {
            const time = nanosText(Math.max(0, frame.time - since));
            return `CPU ${cpu}: ${m.locks_spins({ time, place: place + 1 })}`;
          });
          return `${lock}: ${held}${spins.join(', ')}.`;
        });
  }
}

function copySentences({ run }: Ground, frame: Frame): readonly string[] {
  const split = copyOf(frame, run.machine.clockKhz, undefined);
  if (split === undefined) return [m.caches_no_copy()];
  const { cpu, packet, fetching, reading, copying, from } = split;
  const whole = Math.max(1, fetching + reading + copying);
  const fetched = m.caches_fetching({
    ...{ lines: linesText(split.movedLines), cpu: from, share: shareText(fetching / whole) },
    cycles: countText(split.movedCycles),
  });
  const copied = m.caches_copying({ time: nanosText(copying), share: shareText(copying / whole) });
  const title = m.caches_copy_title({ packet, cpu, time: nanosText(whole) });
  return [`${title}: ${split.movedLines > 0 ? `${fetched}, ` : ''}${copied}.`];
}

function inferredSentences(ground: Ground, frame: Frame): readonly string[] {
  const held = ground.run.cpus.map((cpu) => {
    const packets = heldBy(ground, frame, cpu);
    const lines = countText(packets.reduce((sum, one) => sum + one.lines, 0));
    return `CPU ${cpu}: ${m.caches_touched({ count: packets.length, lines })}.`;
  });
  return [...held, m.caches_inferred()];
}
