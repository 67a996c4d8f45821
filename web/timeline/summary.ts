/**
 * The visible stretch in sentences, for those who do not see the lanes: what each CPU did,
 * how many packets came and went, where it was crowded.
 */
import type { Glossary, Opened, Stretch } from '../core/core.ts';
import type { Lanes } from '../core/lanes.ts';
import { segmentAt } from '../scene/timeline/columns.ts';
import { deepest } from '../scene/timeline/depths.ts';
import { lookOf, type ContextLook } from '../scene/timeline/looks.ts';
import { formatCount, formatMoment, formatRoundNanos, formatShare } from '../numbers/format.ts';
import { depthText, queueName } from './names.ts';
import { momentsText, moreCpusText, packetsText } from '../words/counts.ts';
import { m } from '../words/generated/messages.js';
import { contextWord, unitWord } from '../words/kernel-words.ts';

/** Contexts below this share of the time are not told. */
const WORTH_TELLING = 0.01;
/** So many CPUs are told of. */
const CPUS_TOLD = 64;
/** So many of the deepest queues are told. */
const QUEUES_TOLD = 3;

export function summaryOf(
  lanes: Lanes,
  view: Stretch,
  run: Opened,
  glossary: Glossary,
  looks: readonly ContextLook[],
): readonly string[] {
  const moment = (time: number) => formatMoment(time, run.duration);
  const length = formatRoundNanos(view.to - view.from);
  return [
    m.timeline_in_view({ length, from: moment(view.from), to: moment(view.to) }),
    ...lanes.cpus.slice(0, CPUS_TOLD).map((lane) => {
      const shares = sharesOf(lane, lanes.to, view).map(([context, nanos]) => {
        const share = formatShare(nanos, view.to - view.from);
        return `${contextWord(lookOf(looks, context).name)} ${share}`;
      });
      return m.timeline_cpu({ cpu: lane.cpu, shares: shares.join(', ') });
    }),
    ...(lanes.cpus.length > CPUS_TOLD ? [`${moreCpusText(lanes.cpus.length - CPUS_TOLD)}.`] : []),
    packetSentence(lanes, view),
    ...crowded(lanes, view, run, glossary),
  ];
}

function sharesOf(
  lane: Lanes['cpus'][number],
  end: number,
  view: Stretch,
): readonly (readonly [context: number, nanos: number])[] {
  const nanos = new Map<number, number>();
  for (let at = Math.max(0, segmentAt(lane.start, view.from)); at < lane.start.length; at++) {
    const from = Math.max(lane.start[at]!, view.from);
    const to = Math.min(lane.start[at + 1] ?? end, view.to);
    if (to <= from) continue;
    const context = lane.context[at]!;
    nanos.set(context, (nanos.get(context) ?? 0) + to - from);
  }
  return [...nanos]
    .filter(([, amount]) => amount >= WORTH_TELLING * (view.to - view.from))
    .sort(([, a], [, b]) => b - a);
}

function packetSentence(lanes: Lanes, view: Stretch): string {
  const count = lanes.arrivedPerStep.length;
  const step = (lanes.to - lanes.from) / Math.max(count, 1);
  const first = Math.max(0, Math.floor((view.from - lanes.from) / step));
  const last = Math.min(count, Math.ceil((view.to - lanes.from) / step));
  const sum = (perStep: Uint32Array) =>
    perStep.subarray(first, last).reduce((total, each) => total + each, 0);
  const drops = segmentAt(lanes.drops, view.to) - segmentAt(lanes.drops, view.from);
  const came = packetsText(sum(lanes.arrivedPerStep));
  const went = formatCount(sum(lanes.deliveredPerStep));
  return drops > 0
    ? m.timeline_packets_drops({ came, went, moments: momentsText(drops) })
    : m.timeline_packets_all({ came, went });
}

function crowded(lanes: Lanes, view: Stretch, run: Opened, glossary: Glossary): readonly string[] {
  return lanes.queues
    .map((lane) => ({ lane, info: run.queues[lane.queue], depth: deepest(lane, view) }))
    .filter(({ depth }) => depth > 0)
    .sort((a, b) => b.depth / (b.info?.maxDepth ?? 1) - a.depth / (a.info?.maxDepth ?? 1))
    .slice(0, QUEUES_TOLD)
    .map(({ lane, info, depth }) => {
      const text = depthText(depth, 0, info?.unit ?? '');
      const unit = info === undefined || info.unit === 'bytes' ? '' : ` ${unitWord(info.unit)}`;
      return m.timeline_up_to({
        queue: queueName(run, glossary, lane.queue),
        depth: `${text}${unit}`,
      });
    });
}
