/** What became of the packet that a fork's fault touched, in a sentence, where the page knows it. */
import type { Parting } from '../core/abreast.ts';
import type { Change } from '../session/forks.ts';
import { momentOf } from '../session/scenario.ts';
import { formatNanos } from '../numbers/format.ts';
import { m } from '../words/generated/messages.js';

/**
 * The sentence for a frame that was lost, if the runs first part at it; B is the run with the change.
 *
 * @param startsAt the start of A on the simulation's clock
 */
export function touchedText(
  change: Change | undefined,
  first: Parting | undefined,
  startsAt: number,
): string | undefined {
  if (change?.kind !== 'fault' || change.fault.kind !== 'drop_frame') return undefined;
  if (first === undefined || first.at !== momentOf(change.fault) - startsAt) return undefined;
  const { code, values } = first.saying;
  const { packet, by } = values;
  if (packet?.kind !== 'packet' && packet?.kind !== 'name') return undefined;
  const name = packet.kind === 'packet' ? packet.name : packet.value;
  if (code === 'abreast.only.first') return m.fork_lost({ packet: name });
  if (code !== 'abreast.later' || by?.kind !== 'nanos') return undefined;
  // Packets are paired by what they carry: that of B is the one that was sent again.
  return m.fork_lost_again({ packet: name, by: formatNanos(by.value) });
}
