/**
 * The visible stretch in sentences, for those who do not see the lanes: what each CPU did,
 * how many packets came and went, where it was crowded.
 */
import type { Glossary, Opened } from '../core/core.ts';
import type { Lanes } from '../core/lanes.ts';
import { segmentAt } from '../scene/timeline/columns.ts';
import { deepest } from '../scene/timeline/depths.ts';
import { lookOf, type ContextLook } from '../scene/timeline/looks.ts';
import type { Stretch } from '../scene/timeline/stretch.ts';
import { formatCounted, formatMoment, formatRoundNanos, formatShare } from '../ui/format.ts';
import { depthText, queueName } from './names.ts';

/** Contexts below this share of the time are not told. */
const WORTH_TELLING = 0.01;
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
    `${length} in view, from ${moment(view.from)} to ${moment(view.to)}.`,
    ...lanes.cpus.map((lane) => {
      const shares = sharesOf(lane, lanes.to, view).map(([context, nanos]) => {
        const share = formatShare(nanos, view.to - view.from);
        return `${lookOf(looks, context).word} ${share}`;
      });
      return `CPU ${lane.cpu}: ${shares.join(', ')}.`;
    }),
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
  const came = `${formatCounted(sum(lanes.arrivedPerStep), 'packet')} came`;
  const went = `${sum(lanes.deliveredPerStep)} were delivered`;
  return `${came}, ${went}${drops > 0 ? `, some were dropped at ${formatCounted(drops, 'moment')}` : ''}.`;
}

function crowded(lanes: Lanes, view: Stretch, run: Opened, glossary: Glossary): readonly string[] {
  return lanes.queues
    .map((lane) => ({ lane, info: run.queues[lane.queue], depth: deepest(lane, view) }))
    .filter(({ depth }) => depth > 0)
    .sort((a, b) => b.depth / (b.info?.maxDepth ?? 1) - a.depth / (a.info?.maxDepth ?? 1))
    .slice(0, QUEUES_TOLD)
    .map(({ lane, info, depth }) => {
      const text = depthText(depth, 0, info?.unit ?? '');
      const unit = info === undefined || info.unit === 'bytes' ? '' : ` ${info.unit}`;
      return `${queueName(run, glossary, lane.queue)}: up to ${text}${unit}.`;
    });
}
