/**
 * Draws the shelf: opens every recording and runs every scenario, and gives for each its small
 * picture and what happens in it. Run once when the page is built (`.ci/pictures.mjs`), never in
 * the browser.
 */
import { NONE, type Glossary, type Opened } from '../core/core.ts';
import type { Engine } from '../core/engine.ts';
import type { Journey } from '../core/journeys.ts';
import { engineOnDisk, inputsOnDisk, recordingsOnDisk, runOf } from '../core/on-disk.ts';
import type { Happening, Shown } from './happenings.ts';
import { drawPicture, hasLevel, type Look, type Way } from './picture.ts';

/** Packets in a picture: more are a tangle. */
const PACKETS = 9;
/** Packets looked at to find out what kind of merge or cut it is. */
const LOOKED_AT = 100;

/** By the slug of a recording or the name of a scenario. */
export async function drawShelf(): Promise<Readonly<Record<string, Shown>>> {
  const engine = engineOnDisk();
  const { scenarios } = await engine.catalogue();
  const shelf: Record<string, Shown> = {};
  for (const slug of recordingsOnDisk()) shelf[slug] = await drawRecording(engine, slug);
  for (const { slug, scenario } of scenarios) shelf[slug] = await drawScenario(engine, scenario);
  return shelf;
}

/** Runs a scenario (JSON text) and draws it; throws where it cannot be run. */
export async function drawScenario(engine: Engine, scenario: string): Promise<Shown> {
  return show(engine, runOf(await engine.simulate(scenario, () => undefined)));
}

/** Opens a recording of `traces/` and draws it; throws where it cannot be opened. */
export async function drawRecording(engine: Engine, slug: string): Promise<Shown> {
  return show(engine, runOf(await engine.open(inputsOnDisk(slug), () => undefined)));
}

async function show(engine: Engine, run: Opened): Promise<Shown> {
  const glossary = await engine.glossary();
  const journeys = await all(engine, await telling(engine));
  return {
    picture: drawPicture(journeys.map((journey) => wayOf(journey, glossary))),
    happens: await happeningsOf(engine, glossary, run),
  };
}

/** The runs that are drawn here are short. */
const EVERY_ROW = { from: 0, count: 2 ** 32 - 1 };

/**
 * The packets that tell what the run is about, in the order in which they came: those around the
 * first drop; where none is dropped a packet that others became part of, with them; else the
 * middle of the run, where all is under way.
 */
async function telling(engine: Engine): Promise<Uint32Array> {
  const of = async (query: object) =>
    (await engine.journeys({ sort: 'start', isDescending: false, ...query }, EVERY_ROW)).ids;
  const ids = await of({});
  const [dropped] = await of({ verdict: 'dropped' });
  const merged = await of({ verdict: 'merged' });
  const head = dropped === undefined ? await takerOf(engine, merged) : undefined;
  if (head !== undefined) {
    const whole = [head.packet, ...head.partPackets.slice(-(PACKETS - 1))];
    return ids.filter((id) => whole.includes(id));
  }
  const centre = dropped === undefined ? ids.length >> 1 : ids.indexOf(dropped);
  const first = Math.max(0, Math.min(ids.length - PACKETS, centre - (PACKETS >> 1)));
  return ids.subarray(first, first + PACKETS);
}

/** What one of these became part of, from the middle on: a recording need not have seen what that was. */
async function takerOf(engine: Engine, merged: Uint32Array): Promise<Journey | undefined> {
  for (const part of merged.subarray(merged.length >> 1)) {
    const { mergedInto } = await engine.journey(part);
    if (mergedInto !== NONE) return engine.journey(mergedInto);
  }
  return undefined;
}

function all(engine: Engine, ids: Uint32Array): Promise<readonly Journey[]> {
  return Promise.all([...ids].map((id) => engine.journey(id)));
}

function wayOf({ stays, verdict }: Journey, { stations, contexts }: Glossary): Way {
  const rows = stays.flatMap(({ station, context, enter, leave }) => {
    const word = stations[station];
    if (word === undefined || !hasLevel(word.name)) return [];
    const look = word.isQueue ? 'wait' : lookOf(contexts[context]?.name);
    return [{ station: word.name, look, enter, leave }];
  });
  const hasArrived = verdict === 'delivered' || verdict === 'transmitted';
  return { stays: rows, end: verdict === 'dropped' ? 'dropped' : hasArrived ? 'arrived' : undefined };
}

function lookOf(context: string | undefined): Look {
  switch (context) {
    case 'hardirq':
    case 'softirq':
    case 'user':
      return context;
    case undefined:
    default:
      return 'kernel';
  }
}

/** What the filter of the shelf asks for, found in the run and in nothing that was said about it. */
async function happeningsOf(
  engine: Engine,
  glossary: Glossary,
  run: Opened,
): Promise<readonly Happening[]> {
  const measures = await engine.measures(0, run.duration);
  const findings = await engine.findings();
  const visited = (station: string) =>
    measures.layers.some(({ name, kind, count }) => kind === 'station' && name === station && count > 0);
  const some = async (query: object) => {
    const found = await engine.journeys(
      { sort: 'start', isDescending: false, ...query },
      { from: 0, count: LOOKED_AT },
    );
    return all(engine, found.ids);
  };
  const merged = await some({ verdict: 'merged' });
  const sent = await some({ direction: 'tx' });
  const lastStation = ({ stays }: Journey) => glossary.stations[stays.at(-1)?.station ?? -1]?.name;
  const spinning = glossary.contexts.findIndex(({ name }) => name === 'spinning');
  const isCutDatagram = ({ cutFrom, flow }: Journey) => cutFrom !== NONE && /udp/i.test(flow);
  const found: Readonly<Record<Happening, boolean>> = {
    // Also of what was counted and is no packet's end: frames for which a ring had no room.
    drops:
      run.journeys.dropped + (run.wire?.droppedByNic ?? 0) > 0 ||
      findings.some(({ kind }) => kind === 'drops'),
    merging: merged.some((journey) => lastStation(journey) === 'GRO'),
    fragments: visited('reassembly') || sent.some(isCutDatagram),
    reordering: visited('out-of-order queue'),
    sending: sent.some(({ payload }) => payload > 0),
    cpus: measures.crossCpu > 0,
    locks: measures.timeByContext.some(({ nanos }) => (nanos[spinning] ?? 0) > 0),
  };
  return (Object.keys(found) as Happening[]).filter((name) => found[name]);
}
