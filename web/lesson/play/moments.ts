/**
 * Resolves a lesson's packets and moments: asks the run for the packet in a role, and for the time at which
 * something happens to it. Deterministic for a run.
 */
import type { Nanos, PacketId } from '../../core/core.ts';
import type { Finding } from '../../core/findings.ts';
import type { Journey, JourneyQuery, StayRow } from '../../core/journeys.ts';
import type { Told } from '../../core/told.ts';
import { packetText, type Moment, type Packet } from '../format/moment.ts';
import { indexOfWord, type LessonRun } from './run.ts';

/** The first row of a list. */
const FIRST = { from: 0, count: 1 };

/** The packet in a role. Throws an Error if the run has none. */
export async function packetOf(run: LessonRun, packet: Packet): Promise<PacketId> {
  if (packet.kind === 'finding') {
    const found = await findingOf(run, packet.finding);
    if (found.packet === undefined) throw new Error(`“${packet.finding}” is about no one packet`);
    return found.packet;
  }
  if (packet.kind === 'first at') return firstAt(run, packet.station);
  switch (packet.role) {
    case 'typical journey':
      return packetOf(run, { kind: 'finding', finding: 'typical-journey' });
    case 'slowest journey':
      return firstOf(run, { sort: 'duration', isDescending: true, verdict: 'delivered' }, packet);
    case 'first journey':
      return firstOf(run, { sort: 'start', isDescending: false, verdict: 'delivered' }, packet);
    case 'last journey':
      return firstOf(run, { sort: 'start', isDescending: true, verdict: 'delivered' }, packet);
    case 'first drop':
      return firstOf(run, { sort: 'start', isDescending: false, verdict: 'dropped' }, packet);
    case 'first sent':
      return firstOf(run, { sort: 'start', isDescending: false, verdict: 'transmitted' }, packet);
  }
}

/** The packet that a step follows, and the told film about it; without one, about a typical packet. */
export async function filmOf(
  run: LessonRun,
  follow: Packet | undefined,
): Promise<readonly [PacketId | undefined, Told]> {
  const packet = follow && (await packetOf(run, follow));
  return [packet, await run.questions.told(packet)];
}

/** The time of a moment. Throws an Error if the run has no such moment. */
export async function timeOf(run: LessonRun, moment: Moment): Promise<Nanos> {
  switch (moment.kind) {
    case 'start':
      return 0;
    case 'end':
      return run.opened.duration;
    case 'time':
      if (moment.nanos > run.opened.duration) throw new Error('that is after the end of the run');
      return moment.nanos;
    case 'finding':
      return (await findingOf(run, moment.finding)).moment;
    case 'packet':
      return pointOf(run, moment);
  }
}

/** The first finding of a kind. Throws an Error that lists the findings there are. */
export async function findingOf(run: LessonRun, kind: string): Promise<Finding> {
  const findings = await run.questions.findings();
  const found = findings.find((finding) => finding.kind === kind);
  if (found !== undefined) return found;
  const kinds = [...new Set(findings.map((finding) => finding.kind))];
  throw new Error(`this run has no finding “${kind}”; it has ${kinds.join(', ')}`);
}

async function pointOf(
  run: LessonRun,
  moment: Extract<Moment, { readonly kind: 'packet' }>,
): Promise<Nanos> {
  const journey = await run.questions.journey(await packetOf(run, moment.packet));
  switch (moment.point) {
    case 'begins':
      // A dropped packet is shown where it is dropped.
      return isDrop(moment.packet) ? journey.end : journey.start;
    case 'ends':
      return journey.end;
    case 'is copied':
      return copiedAt(run, journey);
    case 'enters':
      return stayAt(run, journey, moment.station).enter;
    case 'leaves':
      return stayAt(run, journey, moment.station).leave;
  }
}

/**
 * The time at which the reader's copy of a packet is complete. Throws an Error if the run does not record
 * it.
 */
async function copiedAt(run: LessonRun, { packet, name, end }: Journey): Promise<Nanos> {
  const { copies } = (await run.questions.frame(end, 1)).machine;
  const over = copies.end[copies.packet.indexOf(packet)];
  if (over !== undefined) return over;
  throw new Error(`of packet ${name} it is not told when it is copied`);
}

/** The first sojourn of a journey at a station. */
export function stayAt(run: LessonRun, journey: Journey, station: string): StayRow {
  const { stations } = run.glossary;
  const index = indexOfWord(stations, station, 'station');
  const stay = journey.stays.find((candidate) => candidate.station === index);
  if (stay === undefined) throw new Error(`packet ${journey.name} is never at “${station}”`);
  return stay;
}

async function firstAt(run: LessonRun, station: string): Promise<PacketId> {
  const index = indexOfWord(run.glossary.stations, station, 'station');
  const { ids } = await run.questions.journeys(
    { sort: 'start', isDescending: false, station: index },
    FIRST,
  );
  if (ids[0] !== undefined) return ids[0];
  throw new Error(`no packet of this run is ever at “${station}”`);
}

function isDrop(packet: Packet): boolean {
  return packet.kind === 'role' && packet.role === 'first drop';
}

async function firstOf(run: LessonRun, query: JourneyQuery, packet: Packet): Promise<PacketId> {
  const { ids } = await run.questions.journeys(query, FIRST);
  return oneOf(ids[0], packet);
}

function oneOf(id: PacketId | undefined, packet: Packet): PacketId {
  if (id !== undefined) return id;
  throw new Error(`this run has no ${packetText(packet)}`);
}
