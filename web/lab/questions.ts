/**
 * Questions to begin with: a shipped scenario, or one near it, and a single change to it.
 */
import type { CodedCatalogue, SettingValue } from '../core/simulation.ts';
import { canonicalOf, readScenario, writeScenario } from '../session/scenario.ts';
import { m } from '../words/generated/messages.js';

interface Asked {
  readonly title: () => string;
  /** The shipped scenario, and the settings applied to both sides. */
  readonly slug: string;
  readonly with?: Readonly<Record<string, SettingValue>>;
  readonly change: Readonly<Record<string, SettingValue>>;
}

/** All questions that there are. */
export const ASKED: readonly Asked[] = [
  {
    title: m.question_pin_interrupts,
    slug: 'ah-affinity-none',
    with: { cpus: 2, nics: 2, connections: 2 },
    change: { irq_affinity: 'spread' },
  },
  {
    title: m.question_where_program,
    slug: 'ah-affinity-none',
    with: { cpus: 2, nics: 1, connections: 1, irq_affinity: 'cpu1' },
    change: { irq_affinity: 'cpu0' },
  },
  {
    title: m.question_pin,
    slug: 'ah-affinity-none',
    with: { cpus: 2, nics: 2, connections: 2 },
    change: { irq_affinity: 'spread', process_affinity: true },
  },
  // The value of a feature is the effect of switching it on.
  { title: m.question_gro, slug: 'today-gro', with: { gro: false }, change: { gro: true } },
  {
    title: m.question_xdp,
    slug: 'today-flood-socket',
    change: { xdp: 'drop', xdp_port: 9 },
  },
  {
    title: m.question_firewall,
    slug: 'today-flood-firewall',
    with: { firewall_rules: 10 },
    change: { firewall_rules: 1000 },
  },
  { title: m.question_qdisc, slug: 'today-bloat-fifo', change: { qdisc: 'fq_codel' } },
  {
    title: m.question_loss,
    slug: 'today-gro',
    with: { link_loss_permille: 0 },
    change: { link_loss_permille: 10 },
  },
  {
    title: m.question_moderation,
    slug: 'ah-affinity-both',
    change: { interrupt_delay_us: 200, interrupt_frames: 64 },
  },
  { title: m.question_rps, slug: 'today-rps', with: { rps: false }, change: { rps: true } },
];

export interface Question {
  readonly title: string;
  /** Both scenarios as JSON texts. */
  readonly before: string;
  readonly after: string;
}

/** The questions whose scenario the core ships. */
export function questionsOf(catalogue: CodedCatalogue): readonly Question[] {
  return ASKED.flatMap(({ title, slug, with: more, change }) => {
    const shipped = catalogue.scenarios.find((one) => one.slug === slug);
    if (shipped === undefined) return [];
    const scenario = readScenario(shipped.scenario);
    const settings = { ...scenario.settings, ...more };
    return {
      title: title(),
      before: writeScenario({ ...scenario, settings }),
      after: writeScenario({ ...scenario, settings: { ...settings, ...change } }),
    };
  });
}

/** Whether the Lab currently compares this question's scenarios. */
export function isAsked(question: Question, before: string | undefined, scenario: string): boolean {
  return (
    canonicalOf(question.after) === canonicalOf(scenario) &&
    canonicalOf(question.before) === canonicalOf(before ?? scenario)
  );
}
