/**
 * The laws that the model has to keep, and what its tests found: reads what they pinned in
 * `wasm-core/tests/laws/held/` (a line a number) and says of each law what the page needs:
 * its formula, who published it, and along which axes its numbers are drawn.
 */
import type { LawPoint } from '../scene/laws/points.ts';
import type { Table } from '../ui/csv.ts';

/** A line: what the law says, what came out, of what, and the scenario. */
export interface Sample {
  /** Whether the law is to hold; where it tells of systems that break it, not. */
  readonly isHeld: boolean;
  readonly law: number;
  readonly measured: number;
  readonly of: string;
  readonly scenario: string;
}

export type LawId =
  | 'little'
  | 'utilisation'
  | 'flow'
  | 'conservation'
  | 'window'
  | 'mathis'
  | 'fragments'
  | 'livelock';

export interface Law {
  readonly id: LawId;
  readonly formula: string;
  /** Who published it, as one cites it; a title stays in its language. */
  readonly source: string;
  readonly samples: readonly Sample[];
  /** The picture of its numbers; where it has none, they lie on a line anyway. */
  readonly points: readonly LawPoint[];
  readonly isLogarithmic: boolean;
}

const texts = import.meta.glob<string>('../../wasm-core/tests/laws/held/*.txt', {
  eager: true,
  query: '?raw',
  import: 'default',
});

const LINE = /^(held|broken) +(\S+) +(\S+) +\S+ {2}(.+?) {2}(\{.*\})$/;

/** The numbers of a pinned text, in its order. Throws at a line that is none. */
export function readHeld(text: string): readonly Sample[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [, kind, law, measured, of, scenario] = LINE.exec(line) ?? [];
    if (of === undefined || scenario === undefined) throw new Error(`no number of a law: ${line}`);
    return { isHeld: kind === 'held', law: Number(law), measured: Number(measured), of, scenario };
  });
}

/** What a scenario is about, as far as the pictures need it. */
interface Told {
  readonly machine: string;
  readonly settings: {
    readonly connections: number;
    readonly message_bytes: number;
    readonly link_loss_permille: number;
    readonly link_delay_us: number;
  };
}

const toldOf = ({ scenario }: Sample) => JSON.parse(scenario) as Told;

/** Payload of a segment in bytes. */
const SEGMENT = 1448;
/** Payload of a fragment in bytes, and the UDP header in the first. */
const FRAGMENT = 1480;
const UDP_HEADER = 8;

/** Law against measured: the line is where both are the same. */
function alike(samples: readonly Sample[]): readonly LawPoint[] {
  return samples.map(({ law, measured, isHeld }) => ({
    x: law,
    y: measured,
    law,
    isHeld,
    series: '',
  }));
}

/** Share of the frames lost against the window in segments, whatever the round trip. */
function lossAgainstWindow(samples: readonly Sample[]): readonly LawPoint[] {
  return samples.map((sample) => {
    const { link_loss_permille: permille, link_delay_us: delay } = toldOf(sample).settings;
    const segments = (2 * delay) / (SEGMENT * 8);
    const { law, measured, isHeld } = sample;
    return { x: permille / 1000, y: measured * segments, law: law * segments, isHeld, series: '' };
  });
}

/** Fragments of a datagram against the share that arrives, a line for each rate of loss. */
function fragmentsAgainstArrived(samples: readonly Sample[]): readonly LawPoint[] {
  return samples.map((sample) => {
    const { message_bytes: bytes, link_loss_permille: permille } = toldOf(sample).settings;
    const x = Math.ceil((bytes + UDP_HEADER) / FRAGMENT);
    const { law, measured, isHeld } = sample;
    return { x, y: measured, law, isHeld, series: String(permille) };
  });
}

/** Senders against datagrams delivered a second, a line for each host. */
function sendersAgainstDelivered(samples: readonly Sample[]): readonly LawPoint[] {
  return samples.map((sample) => {
    const { machine, settings } = toldOf(sample);
    const { law, measured, isHeld } = sample;
    return { x: settings.connections, y: measured, law, isHeld, series: machine };
  });
}

type Drawing = (samples: readonly Sample[]) => readonly LawPoint[];

const BALANCE = 'Denning and Buzen, The Operational Analysis of Queueing Network Models, 1978';

const LAWS: readonly (readonly [LawId, string, string, Drawing, boolean])[] = [
  ['little', 'L = λ · W', 'Little, A Proof for the Queuing Formula L = λW, 1961', alike, true],
  ['utilisation', 'U = Σ Xᵢ · Sᵢ', BALANCE, alike, true],
  ['flow', 'in = out + lost + inside', BALANCE, alike, true],
  ['conservation', 'queue > 0 ⇒ busy', 'Kleinrock, Queueing Systems, volume 2, 1976', alike, true],
  ['window', 'X = W / RTT', 'Jacobson, Congestion Avoidance and Control, 1988', alike, true],
  [
    'mathis',
    'X ≤ MSS / RTT · √(3/2) / √p',
    'Mathis, Semke, Mahdavi, Ott, The Macroscopic Behavior of the TCP Congestion Avoidance Algorithm, 1997',
    lossAgainstWindow,
    true,
  ],
  [
    'fragments',
    '(1 − p)ⁿ',
    'Kent and Mogul, Fragmentation Considered Harmful, 1987',
    fragmentsAgainstArrived,
    false,
  ],
  [
    'livelock',
    'out = min(in, capacity)',
    'Mogul and Ramakrishnan, Eliminating Receive Livelock in an Interrupt-driven Kernel, 1997',
    sendersAgainstDelivered,
    false,
  ],
];

/** All laws in the order of the page. Throws where a law has no numbers. */
export function heldLaws(): readonly Law[] {
  return LAWS.map(([id, formula, source, draw, isLogarithmic]) => {
    const text = texts[`../../wasm-core/tests/laws/held/${id}.txt`];
    if (text === undefined) throw new Error(`nothing is pinned of ${id}`);
    const samples = readHeld(text);
    return { id, formula, source, samples, points: draw(samples), isLogarithmic };
  });
}

/** How close a law came. */
export interface Closeness {
  readonly scenarios: number;
  readonly numbers: number;
  /** Measured over law, in the middle and the one furthest from 1; of those where it is to hold. */
  readonly median: number;
  readonly worst: number;
  /** Numbers of systems that the law says it does not hold for. */
  readonly broken: number;
}

export function closenessOf(samples: readonly Sample[]): Closeness {
  const held = samples.filter(({ isHeld }) => isHeld);
  const ratios = held.map(ratioOf).sort((one, other) => one - other);
  const off = (ratio: number) => Math.abs(Math.log(ratio));
  return {
    scenarios: new Set(samples.map(({ scenario }) => scenario)).size,
    numbers: held.length,
    median: ratios[Math.floor(ratios.length / 2)] ?? 1,
    worst: ratios.reduce((worst, ratio) => (off(ratio) > off(worst) ? ratio : worst), 1),
    broken: samples.length - held.length,
  };
}

export function ratioOf({ law, measured }: Sample): number {
  return measured / law;
}

/** The numbers that are furthest from the law, so many of them. */
export function furthest(samples: readonly Sample[], count: number): readonly Sample[] {
  const off = (sample: Sample) => Math.abs(Math.log(Math.max(ratioOf(sample), 1e-9)));
  return samples.toSorted((one, other) => off(other) - off(one)).slice(0, count);
}

/** All of its numbers, for scripts. */
export function tableOf({ samples }: Law): Table {
  return {
    columns: ['of', 'law', 'measured', 'held', 'scenario'],
    rows: samples.map(({ of, law, measured, isHeld, scenario }) => [
      ...[of, law, measured],
      ...[isHeld ? 'yes' : 'no', scenario],
    ]),
  };
}

/** A run longer than this, in µs, is not recorded at once: the Lab asks before it does. */
const SHORT = 500_000;

/** Whether a scenario may be opened as a run, without the Lab between. */
export function isShort({ scenario }: Sample): boolean {
  const { duration_us: duration } = JSON.parse(scenario) as { readonly duration_us: number };
  return duration <= SHORT;
}
