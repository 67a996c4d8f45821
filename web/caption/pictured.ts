/**
 * What the picture shows and the sentence of its beat leaves out: of how many frames GRO has made the packet that
 * is followed, and beside the view of the locks who holds the one that most CPUs wait for.
 */
import { NO_CPU, NO_WORD, type Glossary, type Opened, type PacketId } from '../core/core.ts';
import type { Frame } from '../core/frame.ts';
import type { StageView } from '../core/stage-view.ts';
import { framesText } from '../words/counts.ts';
import { m } from '../words/generated/messages.js';

export function picturedSentence(
  frame: Frame,
  { run, glossary }: { readonly run: Opened; readonly glossary: Glossary },
  { packet, stageView }: { readonly packet: PacketId | undefined; readonly stageView: StageView },
): string | undefined {
  const merged = packet === undefined ? undefined : mergedSentence(frame, glossary, packet);
  return merged ?? (stageView === 'locks' ? lockSentence(frame, run) : undefined);
}

/** Of a packet in GRO, or just out of it, that holds more frames than one. */
function mergedSentence(
  { packets }: Frame,
  glossary: Glossary,
  packet: PacketId,
): string | undefined {
  const row = packets.packet.indexOf(packet);
  const count = packets.parts[row] ?? 0;
  if (count < 2) return undefined;
  const frames = framesText(count);
  const station = glossary.stations[packets.station[row] ?? NO_WORD]?.name;
  if (station === 'GRO') return m.caption_merging({ frames });
  return station === 'net core' ? m.caption_merged({ frames }) : undefined;
}

/** Of the lock that most CPUs spin for, while one holds it. */
function lockSentence({ machine: { locks, spins } }: Frame, run: Opened): string | undefined {
  const waited = [...locks.lock].map((lock, row) => ({
    lock: run.machine.locks[lock] ?? '',
    holder: locks.holder[row] ?? NO_CPU,
    cpus: [...spins.cpu].filter((_, spin) => spins.lock[spin] === lock),
  }));
  const [most] = waited.sort((a, b) => b.cpus.length - a.cpus.length);
  if (most === undefined || most.holder === NO_CPU || most.cpus.length === 0) return undefined;
  const cpus = most.cpus.sort((a, b) => a - b).map((cpu) => m.cpu({ cpu }));
  return m.caption_lock({
    holder: m.cpu({ cpu: most.holder }),
    lock: most.lock,
    cpus: cpus.join(', '),
  });
}
