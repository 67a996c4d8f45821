/**
 * Which packet was dropped at a mark of the lanes, and why: the lanes tell only when.
 */
import type { Glossary, Nanos, PacketId } from '../core/core.ts';
import type { RunQuestions } from '../core/run.ts';
import { m } from '../words/generated/messages.js';
import type { Tip } from './names.ts';

export interface Dropped {
  readonly packet: PacketId;
  readonly time: Nanos;
  readonly tip: Tip;
}

/** The first drop at a time or after it; nothing in a run without one. */
export async function dropAt(
  run: RunQuestions,
  glossary: Glossary,
  time: Nanos,
): Promise<Dropped | undefined> {
  const step = await run.step(time - 1, 'drop', true, undefined);
  if (step === undefined) return undefined;
  const { name, dropReason } = await run.journey(step.packet);
  const word = glossary.dropReasons[dropReason];
  const title =
    word === undefined
      ? m.timeline_dropped({ packet: name })
      : m.timeline_dropped_why({ packet: name, reason: word.name });
  const tip = { title, details: [], about: word?.sentence };
  return { packet: step.packet, time: step.time, tip };
}
