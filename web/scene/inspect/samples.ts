/**
 * Journeys written as text pictures, for tests: one line for each sojourn, as `station cpu context
 * enter-leave service [piece]`, times in nanoseconds.
 */
import { NONE, NO_CPU, NO_WORD } from '../../core/core.ts';
import type { Journey, StayRow } from '../../core/journeys.ts';

/** A delivered journey with these sojourns. Numbers stand for words, so a test needs its own glossary. */
export function journeyOf(picture: string): Journey {
  const stays = picture
    .trim()
    .split('\n')
    .map((line) => stayOf(line.trim()));
  const start = Math.min(...stays.map(({ enter }) => enter));
  const end = Math.max(...stays.map(({ leave }) => leave));
  return {
    packet: 0,
    name: '0',
    label: {
      code: 'packet.skb',
      values: { address: { kind: 'name', value: '1' } },
      isInferred: false,
    },
    direction: 'rx',
    start,
    end,
    bytes: 1500,
    payload: 1448,
    parts: 1,
    flow: '',
    ending: {
      code: 'ending.delivered_to',
      values: { task: { kind: 'task', value: 534 } },
      isInferred: false,
    },
    verdict: 'delivered',
    dropReason: NO_WORD,
    mergedInto: NONE,
    cutFrom: NONE,
    mergedIntoName: '',
    cutFromName: '',
    partPackets: [],
    partNames: [],
    longestWait: undefined,
    mark: undefined,
    service: stays.reduce((sum, { service }) => sum + service, 0),
    wait: stays.reduce((sum, { wait }) => sum + wait, 0),
    stays,
    events: [],
    socketTime: undefined,
  };
}

function stayOf(line: string): StayRow {
  const [station, cpu, context, times = '', service, piece] = line.split(/\s+/);
  const [enter = 0, leave = 0] = times.split('-').map(Number);
  return {
    station: Number(station),
    cpu: cpu === '?' ? NO_CPU : Number(cpu),
    context: Number(context),
    piece: Number(piece ?? 0),
    enter,
    leave,
    service: Number(service),
    wait: leave - enter - Number(service),
  };
}
