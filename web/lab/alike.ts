/** For a change that made no difference: what stayed the same, and why, if that can be known. */
import type { Difference, Quantity } from '../core/figures.ts';
import type { Catalogue } from '../core/simulation.ts';
import { settingIn, type Scenario } from '../session/scenario.ts';
import { m } from '../words/generated/messages.js';
import { nameOf, ofRun, spreadIn, valueOf } from './figures.ts';
import { placementOf, type Where } from './placement.ts';
import { cpusText, whereText } from './placement-words.ts';

/** The quantities that one would look at first. */
const LOOKED_AT: readonly Quantity[] = [
  ...(['throughput', 'latency_median', 'latency_p99', 'dropped', 'busy', 'hops_each'] as const),
];

/** The figures of the whole run that did not change by more than other seeds change them. */
export function stayedSame(differences: readonly Difference[]): readonly string[] {
  return LOOKED_AT.flatMap((quantity) => {
    const one = ofRun(differences, quantity);
    if (one?.isNoise !== true) return [];
    const said = { figure: nameOf(quantity), value: valueOf(quantity, one.unit, one.after.mean) };
    const spread = spreadIn(one, one.change.halfWidth);
    return spread === undefined ? m.lab_alike_exactly(said) : m.lab_alike_one({ ...said, spread });
  });
}

/**
 * Possible explanations: interrupts and programs run on the same CPUs or moved together; no ring was too
 * small.
 */
export function whyAlike(
  catalogue: Catalogue,
  was: Scenario,
  is: Scenario,
  differences: readonly Difference[],
): readonly string[] {
  const isChanged = (name: string) =>
    settingIn(was.settings, name) !== settingIn(is.settings, name);
  return [
    isChanged('irq_affinity') || isChanged('process_affinity')
      ? whyPlaced(catalogue, was, is)
      : undefined,
    isChanged('rx_ring') && isNever(differences, 'dropped') ? m.lab_alike_ring() : undefined,
  ].filter((sentence) => sentence !== undefined);
}

function whyPlaced(catalogue: Catalogue, was: Scenario, is: Scenario): string | undefined {
  const [before, after] = [placementOf(catalogue, was), placementOf(catalogue, is)];
  const [from, to] = [before?.interrupts, after?.interrupts];
  const [first, now] = [before?.programs, after?.programs];
  if (!from || !to || !first || !now) return undefined;
  if (isSame(from, to) && isSame(first, now))
    return m.lab_alike_placed({ interrupts: whereText(to), programs: cpusText(now.cpus) });
  if (before?.isTogether !== true || after?.isTogether !== true) return undefined;
  const setting = catalogue.settings.find(({ name }) => name === 'process_affinity');
  return m.lab_alike_together({
    ...{ before: cpusText(first.cpus), after: cpusText(now.cpus) },
    setting: setting?.title ?? '',
  });
}

/**
 * Whether the CPUs are the same; for programs, whether they are bound or only stay there makes no
 * difference.
 */
function isSame(one: Where, other: Where): boolean {
  const isRule = ({ by }: Where) => ['turn', 'idle', 'queues'].includes(by);
  const isAlike = one.by === other.by || (!isRule(one) && !isRule(other));
  return isAlike && one.cpus.join() === other.cpus.join();
}

function isNever(differences: readonly Difference[], quantity: Quantity): boolean {
  const all = differences.filter((one) => one.quantity === quantity);
  return all.every(({ before, after }) => before.mean === 0 && after.mean === 0);
}
