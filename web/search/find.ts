/**
 * What a text that was typed may mean in a run: packets, moments, findings, flows, drop reasons and kernel
 * functions, the most likely first. Only packets have to be asked of the core.
 */
import type { Glossary, Nanos, Opened, PacketId } from '../core/core.ts';
import type { Journey } from '../core/journeys.ts';
import { parseMoment, type Here } from '../transport/parse-moment.ts';

export type Hit =
  | { readonly kind: 'packet'; readonly packet: PacketId; readonly name: string }
  | { readonly kind: 'moment'; readonly time: Nanos }
  | { readonly kind: 'film'; readonly film: number }
  | { readonly kind: 'finding'; readonly place: number; readonly title: string }
  | { readonly kind: 'flow'; readonly flow: number; readonly name: string }
  | {
      readonly kind: 'drop';
      readonly reason: number;
      readonly name: string;
      readonly count: number;
    }
  | {
      readonly kind: 'probe';
      readonly probe: number;
      readonly name: string;
      readonly does: string;
    };

export interface Searched {
  readonly run: Pick<Opened, 'flows' | 'drops'>;
  readonly glossary: Pick<Glossary, 'probes' | 'dropReasons'>;
  /** Their titles, in their order. */
  readonly findings: readonly string[];
  readonly here: Here;
}

/** Of a kind, at most so many are listed. */
const MOST = 6;

/** `7`, `#7`, `packet 7`, `7 · 3/6`, `7.3`: the number, and which piece of it. */
const PACKET =
  /^#?\s*(?:(?:packet|paket)\s+)?(\d{1,9})(?:\s*[·.\s]\s*(\d{1,4})(?:\s*\/\s*\d+)?)?$/iu;

export interface PacketWanted {
  readonly number: PacketId;
  readonly piece: number | undefined;
}

export function packetWanted(query: string): PacketWanted | undefined {
  const [, number, piece] = PACKET.exec(query.trim()) ?? [];
  if (number === undefined) return undefined;
  return { number: Number(number), piece: piece === undefined ? undefined : Number(piece) };
}

/** The packet of that number with its pieces, or the one piece that was wanted. */
export function packetHits(
  { number, piece }: PacketWanted,
  { packet, name, partPackets, partNames }: Journey,
): readonly Hit[] {
  // A piece has a number of its own, by which nothing on the page calls it.
  const whole = name === String(number) ? [{ kind: 'packet' as const, packet, name }] : [];
  const pieces = partPackets.flatMap((part, at) => {
    const called = partNames[at] ?? '';
    const isWanted =
      piece === undefined ? called !== '' : called.startsWith(`${number} · ${piece}/`);
    return isWanted ? [{ kind: 'packet' as const, packet: part, name: called }] : [];
  });
  return piece === undefined ? [...whole, ...pieces].slice(0, MOST + 1) : pieces;
}

/** Everything but packets; nothing for an empty text. */
export function wordHits(query: string, searched: Searched): readonly Hit[] {
  const words = query
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
  if (words.length === 0) return [];
  const { run, glossary, findings, here } = searched;
  const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const dropped = new Map(run.drops.map(({ reason, count }) => [reason, count]));
  return [
    ...momentHits(query, here),
    ...findings
      .flatMap((title, place) => (fits(title) ? [{ kind: 'finding', place, title } as const] : []))
      .slice(0, MOST),
    ...glossary.dropReasons
      .flatMap(({ name, sentence }, reason) => {
        const count = dropped.get(name) ?? 0;
        const isFound = count > 0 && fits(`${name} ${sentence} drop`);
        return isFound ? [{ kind: 'drop', reason, name, count } as const] : [];
      })
      .slice(0, MOST),
    ...run.flows
      .flatMap((name, flow) => (fits(name) ? [{ kind: 'flow', flow, name } as const] : []))
      .slice(0, MOST),
    ...glossary.probes
      .flatMap(({ name, function: does }, probe) =>
        fits(`${name} ${does}`) ? [{ kind: 'probe', probe, name, does } as const] : [],
      )
      .toSorted((a, b) => nearness(b.name, words) - nearness(a.name, words)),
  ];
}

/** A name that is just what was typed comes first, then one that begins so. */
function nearness(name: string, [word = '']: readonly string[]): number {
  return name === word ? 2 : name.startsWith(word) ? 1 : 0;
}

/** A bare number is a packet; with a unit, or as film, it is a moment. */
function momentHits(query: string, here: Here): readonly Hit[] {
  if (!/[a-zµμ]/iu.test(query)) return [];
  const typed = parseMoment(query, here);
  if (typed.kind === 'run') return [{ kind: 'moment', time: typed.time }];
  return typed.kind === 'film' ? [typed] : [];
}
