/** For two simulated runs side by side, A as it was and B with a change: where to look for the effect. */
import { readScenario } from '../session/scenario.ts';
import { m } from '../words/generated/messages.js';

/** By the changed setting; of several the first in this list. */
const LOOKS: readonly (readonly [setting: string, look: () => string])[] = [
  ['irq_affinity', m.lab_look_irq_affinity],
  ['process_affinity', m.lab_look_process_affinity],
  ['xdp', m.lab_look_xdp],
  ['qdisc', m.lab_look_qdisc],
  ['gro', m.lab_look_gro],
  ['rps', m.lab_look_rps],
  ['link_loss_permille', m.lab_look_loss],
  ['interrupt_delay_us', m.lab_look_moderation],
  ['interrupt_frames', m.lab_look_moderation],
  ['rx_ring', m.lab_look_ring],
];

export function lookText(a: string, b: string): string {
  const [was, is] = [readScenario(a).settings, readScenario(b).settings];
  const [, look = m.lab_look_parting] = LOOKS.find(([name]) => was[name] !== is[name]) ?? [];
  return look();
}
