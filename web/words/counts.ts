/** Numbers with what they are of, in the language that is spoken: `12,345 packets`, `1 s of film = 20 µs`. */
import { formatCount, formatRoundNanos } from '../numbers/format.ts';
import { m } from './generated/messages.js';
import { getLocale } from './generated/runtime.js';

type Message = (values: { readonly count: number; readonly shown: string }) => string;

/** The stage asks for the same ones sixty times a second, and a plural takes long to choose. */
const counted = (message: Message) => {
  const known = new Map<string, string>();
  return (count: number): string => {
    const key = `${getLocale()} ${count}`;
    const text = known.get(key) ?? message({ count, shown: formatCount(count) });
    if (known.size > MOST) known.clear();
    known.set(key, text);
    return text;
  };
};

/** So many texts of one kind are kept before they are forgotten. */
const MOST = 500;

export const linesText = counted(m.count_lines);
export const eventsText = counted(m.count_events);
export const packetsText = counted(m.count_packets);
export const momentsText = counted(m.count_moments);
/** `in 6 frames`. */
export const inFramesText = counted(m.inspect_in_frames);
export const cpusText = counted(m.count_cpus);
export const framesText = counted(m.count_frames);
export const fragmentsText = counted(m.count_fragments);
export const datagramsText = counted(m.count_datagrams);
export const tasksText = counted(m.count_tasks);
export const handOversText = counted(m.count_hand_overs);
export const moreCpusText = counted(m.count_more_cpus);
export const moreQueuesText = counted(m.count_more_queues);
export const probesText = counted(m.count_probes);
export const socketsText = counted(m.count_sockets);

/** The scale of the film: `1 s of film = 20 µs`. */
export function scaleText(nanosPerSecondOfFilm: number): string {
  return m.transport_film_scale({ time: formatRoundNanos(nanosPerSecondOfFilm) });
}
