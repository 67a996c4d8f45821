/**
 * A core for unit tests alone: a run of ten packets, one each 1000 ns, made up and never shown
 * to anybody. It answers as the interface says and notes what it was asked.
 */
import { NONE, type Core, type Glossary, type Opened, type Survey } from './core.ts';
import type { Abreast } from './abreast.ts';
import type { Figures } from './figures.ts';
import type { EventRows } from './run.ts';
import type { Frame } from './frame.ts';
import type { JourneyRows } from './journeys.ts';
import type { LedgerView } from './ledger.ts';
import type { RunHandle, RunQuestions } from './run.ts';
import type { MachineInfo } from './machine.ts';
import type { Saying, SayingValue } from './saying.ts';
import type { Trouble } from './trouble.ts';
import type { Said, Told } from './told.ts';
import type { WorkerCalls } from './worker-calls.ts';
import type { Catalogue, Choice, FaultKind, Setting } from './simulation.ts';

export const NO_GLOSSARY: Glossary = {
  stations: [],
  probes: [],
  contexts: [],
  queues: [],
  verdicts: [],
  dropReasons: [],
};

/** The run beside itself. */
const ALIKE: Abreast = {
  ...{ shift: 0, first: undefined, partings: [], total: 0, alike: 10 },
  likes: [
    Uint32Array.from({ length: 10 }).map((_, at) => at),
    Uint32Array.from({ length: 10 }).map((_, at) => at),
  ],
};

export const NO_FIGURES: Figures = { nanos: 0, all: [], told: [], stretches: [] };

export const CLEAN_LEDGER: LedgerView = {
  total: 10,
  understood: 10,
  skipped: 0,
  unknown: 0,
  malformed: 0,
  lostMarkers: 0,
  leftOut: 0,
  lostEvents: 0,
  lostByCpu: [],
  skippedByName: [],
  unknownByName: [],
  malformedReasons: [],
  malformedLines: [],
  warnings: [],
};

/** A run of which only what any recording tells is known. */
export const NO_MACHINE: MachineInfo = {
  caches: [],
  cacheLines: 0,
  lineBytes: 64,
  objects: [],
  mostLines: [],
  clockKhz: 0,
  locks: [],
  timers: [],
  tellsStates: false,
  hasTasks: false,
  longestSlice: 0,
  hasProbeCosts: false,
};

export function fakeRun(changes: Partial<Opened> = {}): Opened {
  return {
    origin: 'recorded',
    format: 'ftrace',
    fingerprint: '0011223344556677',
    metadata: [],
    events: 10,
    duration: 10_000,
    startsAt: 0,
    cpus: [0, 1],
    queues: [],
    visits: [],
    machine: NO_MACHINE,
    tasks: [],
    flows: ['a to b'],
    hasSequences: false,
    sockets: [],
    journeys: {
      total: 10,
      delivered: 10,
      merged: 0,
      dropped: 0,
      transmitted: 0,
      consumed: 0,
      open: 0,
    },
    drops: [],
    wire: undefined,
    ledger: CLEAN_LEDGER,
    ...changes,
  };
}

/** A file that needs little. */
export const SMALL_SURVEY: Survey = {
  events: 10,
  memory: 1600,
  cpus: [0, 1],
  from: 0,
  to: 9000,
  hasCapture: false,
};

/** Two of each, so that a choice can be made; one setting of each kind. */
export const SMALL_CATALOGUE: Catalogue = {
  machines: [
    { ...choice('quick', 'A quick machine'), limits: { cpus: 4, nics: 2 } },
    { ...choice('slow', 'A slow machine'), limits: { cpus: 1, nics: 0 } },
  ],
  kernels: [choice('2.4.17', 'Linux 2.4.17'), choice('6.1', 'Linux 6.1')],
  instrumentation: [{ ...choice('points', 'probes at ten points'), kernels: ['6.1'] }],
  workloads: [choice('stream', 'Bulk transfer'), choice('chat', 'Chat rooms')],
  settings: [
    {
      ...setting('mtu_bytes', 'MTU', 'link', 'number'),
      unit: 'bytes',
      min: 576,
      max: 9000,
      default: 1500,
    },
    { ...setting('gro', 'GRO', 'driver', 'switch'), default: true },
    {
      ...setting('copy', 'Copy routine', 'cpus', 'choice'),
      choices: [
        { name: 'movsd', title: 'rep movsd' },
        { name: 'integer', title: 'integer registers' },
      ],
      appliesTo: ['stream'],
    },
    { ...setting('cpus', 'CPUs', 'cpus', 'number'), min: 1, max: 64 },
    {
      ...setting('irq_affinity', 'Interrupts go to', 'nic', 'choice'),
      choices: ['spread', 'fixed', 'cpu0', 'cpu1', 'cpu2', 'cpu3'].map((name) => ({
        ...{ name, title: name },
      })),
      appliesTo: ['stream'],
    },
    {
      ...setting('irq_queue', 'Only this queue’s', 'nic', 'number'),
      min: 0,
      max: 255,
      appliesTo: ['stream'],
    },
    { ...setting('nics', 'NICs', 'nic', 'number'), min: 1, max: 16, appliesTo: ['stream'] },
    {
      ...setting('clients', 'Clients', 'processes', 'number'),
      min: 1,
      max: 500,
      appliesTo: ['chat'],
    },
  ],
  faults: [
    { ...fault('steal_cpu', 'Take a CPU away'), appliesTo: ['stream', 'chat'] },
    {
      ...fault('drop_frame', 'Lose a frame'),
      ...{ arguments: [], isOfFrame: true, appliesTo: ['stream'] },
    },
  ],
  mostFaults: 2,
  duration: { min: 10, max: 10_000_000 },
  scenarios: [
    {
      slug: 'one-flow',
      title: 'One flow',
      about: 'A single connection.',
      scenario:
        '{"machine":"quick","kernel":"6.1","workload":"stream","settings":{"mtu_bytes":9000},"duration_us":2000,"seed":1}',
    },
  ],
  notModelled: [],
};

function choice(name: string, title: string): Choice {
  return { name, title, about: '', sources: [] };
}

function fault(name: string, title: string): FaultKind {
  const cpu = { name: 'cpu', title: 'CPU', unit: '', min: 0, max: 127, usual: 0 };
  return { name, title, about: '', arguments: [cpu], isOfFrame: false, appliesTo: [] };
}

function setting(name: string, title: string, place: string, kind: Setting['kind']): Setting {
  return {
    ...{ name, title, place, kind, unit: '', about: '', choices: [] },
    ...{ min: undefined, max: undefined, default: undefined, appliesTo: undefined },
  };
}

/** A run that is open; the given questions replace its own. Closing it does nothing. */
export function fakeHandle(
  changes: Partial<Opened> = {},
  questions: Partial<RunQuestions> = {},
): RunHandle {
  const answers = { ...fakeQuestions(), ...questions };
  return {
    ...answers,
    opened: fakeRun(changes),
    broken: new Promise(() => undefined),
    until: () => answers,
    watch: (tell) => tell(0),
    close: () => undefined,
  };
}

/** A second of film for each of the ten packets, and half a second of standing still at the second. */
export const FAKE_TOLD: Told = {
  opensWith: 0,
  opensAt: 1,
  pieces: {
    film: Float64Array.of(0, 1, 1.5, 10.5),
    time: Float64Array.of(0, 1000, 1000, 10_000),
    kind: Uint8Array.of(0, 2, 0),
  },
  actors: { film: Float64Array.of(0, 1), packet: Uint32Array.of(0, 1) },
  beats: {
    film: Float64Array.of(0, 1, 5),
    time: Float64Array.of(0, 1000, 4500),
    packet: Uint32Array.of(0, 1, 1),
  },
  captions: { film: Float64Array.of(0, 1), beat: Uint32Array.of(0, 1) },
};

/** The refusal of a scenario of which a field holds `value`, as JSON, and may hold something else. */
export function notPermitted(field: string, value: string, permitted: Saying): Trouble {
  const values: Record<string, SayingValue> = {
    field: { kind: 'name', value: field },
    value: { kind: 'name', value },
    permitted: { kind: 'said', value: permitted },
  };
  const refusal: Saying = { code: 'scenario.not_permitted', values, isInferred: false };
  return { message: refusal.code, refusal };
}

/** That a field may be one of these words. */
export const oneOf = (...words: readonly string[]): Saying => ({
  code: 'permitted.one_of',
  values: { list: { kind: 'name', value: words.join(', ') } },
  isInferred: false,
});

/** That a field may be a whole number between these. */
export const whole = (from: number, to: number): Saying => ({
  code: 'permitted.whole',
  values: { from: { kind: 'count', value: from }, to: { kind: 'count', value: to } },
  isInferred: false,
});

const saying = (code: string): Saying => ({ code, values: {}, isInferred: false });

/** What its three beats say: a code each. */
export const FAKE_SAID: readonly Said[] = ['told.gro', 'told.ip', 'told.udp'].map((code) => ({
  short: saying(code.replace('told.', 'told.short.')),
  plain: saying(code),
  kernel: saying(code),
  why: saying('told.why.ring'),
  isSaidShort: false,
}));

/** The given calls replace its own. */
export function fakeCore(calls: Partial<Core> = {}): Core {
  return {
    ...fakeCommon(),
    room: Infinity,
    open: () => Promise.resolve({ kind: 'ok', value: fakeHandle() }),
    look: () => Promise.resolve({ kind: 'ok', value: undefined }),
    simulate: () => Promise.resolve({ kind: 'ok', value: fakeHandle({ origin: 'simulated' }) }),
    tryOut: () => Promise.resolve({ kind: 'ok', value: NO_FIGURES }),
    stopReproducing: () => undefined,
    ...calls,
  };
}

/** What stands behind a worker; the given calls replace its own. */
export function fakeCalls(calls: Partial<WorkerCalls> = {}): WorkerCalls {
  return {
    ...fakeCommon(),
    ...fakeQuestions(),
    open: () => Promise.resolve({ kind: 'ok', value: fakeRun() }),
    simulate: () => Promise.resolve({ kind: 'ok', value: fakeRun({ origin: 'simulated' }) }),
    version: () => Promise.resolve('0'),
    tryOut: () => Promise.resolve({ kind: 'ok', value: NO_FIGURES }),
    halt: () => Promise.resolve(),
    ...calls,
  };
}

function fakeCommon(): Pick<
  Core,
  | 'glossary'
  | 'catalogue'
  | 'published'
  | 'reproduce'
  | 'survey'
  | 'compare'
  | 'abreast'
  | 'curve'
  | 'publishedBeside'
> {
  return {
    glossary: () => Promise.resolve(NO_GLOSSARY),
    catalogue: () => Promise.resolve(SMALL_CATALOGUE),
    published: () => Promise.resolve([]),
    survey: () => Promise.resolve({ kind: 'ok', value: SMALL_SURVEY }),
    reproduce: () => Promise.resolve({ kind: 'ok', value: [] }),
    compare: (before, after) =>
      Promise.resolve({
        runs: [before.length, after.length],
        ...{ cpus: [0, 0] as const, work: undefined },
        ...{ differences: [], outcomes: [], causes: [], isSingle: false },
      }),
    abreast: () => Promise.resolve(ALIKE),
    publishedBeside: () => Promise.resolve([]),
    curve: (_settings, _isLog, runs) =>
      Promise.resolve({
        points: runs.map(([mean = 0]) => ({ mean, halfWidth: undefined })),
        knee: undefined,
      }),
  };
}

function fakeQuestions(): RunQuestions {
  const times = Float64Array.from({ length: 10 }, (_, packet) => packet * 1000);
  return {
    frame: (time) => Promise.resolve({ time } as Frame),
    lanes: unasked,
    step: (time, _kind, isForward) => {
      const found = isForward
        ? times.findIndex((event) => event > time)
        : times.findLastIndex((event) => event < time);
      const at = times[found];
      return Promise.resolve(
        at === undefined ? undefined : { time: at, packet: found, event: found },
      );
    },
    journeys: (_query, { from, count }) => {
      const ids = Uint32Array.from(times.keys()).slice(from, from + count);
      return Promise.resolve({ ids, total: 10, place: undefined });
    },
    journeyRows: (ids) =>
      Promise.resolve({
        duration: Float64Array.from(ids, () => 4000),
      } as Partial<JourneyRows> as JourneyRows),
    longestWaits: unasked,
    journey: unasked,
    findings: () => Promise.resolve([]),
    figures: () => Promise.resolve(NO_FIGURES),
    measures: unasked,
    profile: unasked,
    sequence: unasked,
    layerTimes: unasked,
    nextPass: unasked,
    saved: unasked,
    routes: () => Promise.resolve(new Uint8Array()),
    told: () => Promise.resolve(FAKE_TOLD),
    said: (_focus, from, count) => Promise.resolve(FAKE_SAID.slice(from, from + count)),
    events: (from, count) => {
      const time = times.slice(from, from + count);
      return Promise.resolve<EventRows>({
        total: times.length,
        index: Uint32Array.from(time, (_, row) => from + row),
        time,
        probe: new Uint8Array(time.length),
        cpu: new Uint16Array(time.length),
        context: new Uint8Array(time.length),
        packet: Uint32Array.from(time, () => NONE),
        details: Array.from(time, () => ''),
        name: Array.from(time, () => ''),
      });
    },
  };
}

function unasked(): never {
  throw new Error('the fake core has no answer to this: give it one in the test');
}
