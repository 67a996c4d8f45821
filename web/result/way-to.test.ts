/** Where figures lead to: to what the core has seen, to what was counted, and nowhere where nothing was. */
import { expect, test } from 'vitest';
import type { Figure } from '../core/figures.ts';
import { momentIn, wayBeside, wayTo } from './way-to.ts';

const figure = (given: Partial<Figure>): Figure => ({
  ...{ quantity: 'dropped', kind: 'run', name: '', unit: '1', value: 0.2 },
  ...{ packet: undefined, time: undefined },
  ...given,
});

test('a packet that the core has seen comes before what was counted', () => {
  const seen = figure({ kind: 'reason', name: 'XDP', packet: 7, time: 400 });
  expect(wayTo(seen)).toEqual({ kind: 'packet', packet: 7, time: 400 });
});

test('drops lead to the dropped packets, whatever was filtered before', () => {
  const way = wayTo(figure({}));
  expect(way).toMatchObject({ kind: 'list', patch: { panel: 'inspect', verdict: 'dropped' } });
  expect(way?.kind === 'list' && 'flow' in way.patch && way.patch.flow).toBe(undefined);
});

test('of a list of packets the moment is the one at which the first does what is counted', () => {
  const stay = { ...{ station: 0, context: 0, piece: 0, service: 0, wait: 0, leave: 0 } };
  const stays = [
    { ...stay, cpu: 0, enter: 100 },
    { ...stay, cpu: 0, enter: 200 },
    { ...stay, cpu: 1, enter: 300 },
  ];
  const journey = { ...{ start: 100, end: 400, longestWait: 1 }, stays };
  expect(momentIn('hops_each', journey)).toBe(300);
  expect(momentIn('hops_each', { ...journey, stays: stays.slice(0, 2) })).toBe(100);
  expect(momentIn('wait_each', journey)).toBe(200);
  expect([momentIn('dropped', journey), momentIn('throughput', journey)]).toEqual([400, 100]);
});

test('of what never happened, and of what no view shows, there is no way', () => {
  expect(wayTo(figure({ value: 0 }))).toBe(undefined);
  expect(wayTo(figure({ quantity: 'lost_on_link' }))).toBe(undefined);
});

test('what is seen in the run beside leads to its packet on the common clock, while that goes on', () => {
  const onClock = (time: number) => (time < 500 ? time + 100 : undefined);
  const seen = (time: number) => figure({ kind: 'reason', name: 'XDP', packet: 7, time });
  expect(wayBeside(seen(400), onClock)).toEqual({ kind: 'beside', packet: 7, time: 500 });
  expect(wayBeside(seen(600), onClock)).toBe(undefined);
});

test('a list of packets is of the first run alone, a view of the stage of both', () => {
  const nowhere = () => undefined;
  expect(wayBeside(figure({}), nowhere)).toBe(undefined);
  const lines = figure({ quantity: 'lines_each' });
  expect(wayBeside(lines, nowhere)).toEqual({ kind: 'look', patch: { stageView: 'caches' } });
});
