/** Which drops are no problem, as somebody decided on them. */
import { expect, test } from 'vitest';
import type { Finding } from '../core/findings.ts';
import { asMeant } from './meant-drops.ts';

const NAMES = ['XDP', 'QDISC_CONGESTED', 'RX_RING_FULL'];
const dropReasons = NAMES.map((name) => ({ name, sentence: '', function: '', version: '' }));

function finding(reason: number, detail = 'finding.drops.other'): Finding {
  const saying = (code: string) => ({
    code,
    values: { reason: { kind: 'dropReason', value: reason } } as const,
    isInferred: false,
  });
  return {
    ...{ kind: 'drops', severity: 'problem', title: saying('finding.drops') },
    ...{ detail: saying(detail), packets: [1], from: 0, to: 9, moment: 5, packet: 1, view: 'way' },
  };
}

test('what an XDP program or CoDel decided is how it is, and says who decided', () => {
  const told = [0, 1, 2].map((reason) => asMeant(finding(reason), { dropReasons }));
  expect(told.map(({ severity, detail }) => [severity, detail.code])).toEqual([
    ['info', 'finding.drops.xdp'],
    ['info', 'finding.drops.codel'],
    ['problem', 'finding.drops.other'],
  ]);
  // What is known of the queue stays.
  expect(asMeant(finding(1, 'finding.drops.full'), { dropReasons }).detail.code).toBe(
    'finding.drops.full',
  );
});
