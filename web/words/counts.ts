/** A number with what it counts, in the language that is spoken: `1 packet`, `12,345 packets`. */
import { formatCount } from '../ui/format.ts';
import { m } from './generated/messages.js';

type Message = (values: { readonly count: number; readonly shown: string }) => string;

const counted =
  (message: Message) =>
  (count: number): string =>
    message({ count, shown: formatCount(count) });

export const linesText = counted(m.count_lines);
export const eventsText = counted(m.count_events);
export const packetsText = counted(m.count_packets);
export const momentsText = counted(m.count_moments);
