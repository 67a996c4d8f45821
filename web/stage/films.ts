/**
 * Eight situations that should be recognisable without words, as silent films of shipped recordings and of
 * one scenario: the run, the packets that the camera follows, and six moments of the told film.
 * `films.test.ts` pins what is drawn in them as text.
 */
import type { PacketId } from '../core/core.ts';
import type { StageView } from '../core/stage-view.ts';

export interface SilentFilm {
  readonly name: string;
  readonly of: { readonly trace: string } | { readonly scenario: string; readonly micros: number };
  readonly view: StageView;
  /** The packet that the film is about; by default the run's own choice. */
  readonly focus?: PacketId;
  /** A time of the run in nanoseconds, and six moments in seconds of film after it. */
  readonly at: number;
  readonly seconds: readonly number[];
  /** The packets that the camera follows, each with the second from which it does. */
  readonly follows: readonly (readonly [from: number, packet: PacketId])[];
}

export const FILMS: readonly SilentFilm[] = [
  {
    name: 'reassembly',
    of: { trace: 'udp-fragments' },
    view: 'way',
    focus: 12,
    at: 194_701_000,
    seconds: [-3.2, -2, -0.7, -0.05, 0.2, 0.45],
    follows: [
      [-9, 12],
      [0, 17],
    ],
  },
  {
    name: 'fragmentation',
    of: { trace: 'send-udp-fragments' },
    view: 'way',
    at: 2_752_000,
    seconds: [-0.2, 0.1, 0.2, 0.28, 0.4, 1.2],
    follows: [
      [-9, 0],
      [0, 1],
    ],
  },
  {
    name: 'merge',
    of: { trace: 'tcp-gro-on' },
    view: 'way',
    focus: 52,
    at: 93_441_000,
    seconds: [-4.6, -4, -3, -2, -1.2, -0.3],
    follows: [[-9, 52]],
  },
  {
    name: 'hand-over',
    of: { trace: 'udp-fragments' },
    view: 'way',
    at: 194_706_000,
    seconds: [-0.05, 0.28, 0.38, 0.43, 0.9, 1.9],
    follows: [[-9, 17]],
  },
  {
    name: 'cache-lines',
    of: { scenario: 'ba-fig5-2.4-smp-1', micros: 25_000 },
    view: 'caches',
    focus: 1662,
    at: 22_578_000,
    seconds: [-2.9, -2.6, -1.4, -0.05, 0.3, 0.7],
    follows: [[-9, 1662]],
  },
  {
    name: 'preempted-reader',
    of: { trace: 'busy-receiver' },
    view: 'way',
    focus: 155,
    at: 121_969_000,
    seconds: [-1.3, -0.85, -0.7, -0.55, -0.3, 2.2],
    follows: [[-9, 155]],
  },
  {
    name: 'full-socket',
    of: { trace: 'socket-buffer-overflow' },
    view: 'way',
    at: 131_952_000,
    seconds: [-1, -0.3, 0.15, 0.3, 0.45, 3.5],
    follows: [
      [-9, 8],
      [3, 9],
    ],
  },
  {
    name: 'full-ring',
    of: { trace: 'ring-overflow' },
    view: 'way',
    at: 85_565_000,
    seconds: [-0.3, 0.12, 0.25, 0.4, 0.9, 3],
    follows: [
      [-9, 0],
      [-0.6, 1],
      [0, 209],
      [2, 2],
    ],
  },
];

/** The packet that the camera follows at a second of a film. */
export function followedAt({ follows }: SilentFilm, second: number): PacketId | undefined {
  return follows.findLast(([from]) => from <= second)?.[1];
}
