/**
 * The commands of the film: playing, pacing, and steps from one thing to the next.
 */
import { m } from '../words/generated/messages.js';
import { effect, sayLoop, sayTime, view } from './command-words.ts';
import { onStage, type Command } from './command.ts';
import { at, loopToggled } from './view-changes.ts';

export const PLAY_COMMANDS = [
  {
    id: 'play.toggle',
    keys: [' ', 'k'],
    group: 'play',
    title: m.command_play_toggle,
    when: onStage,
    does: effect((to) => to.toggle()),
  },
  {
    id: 'play.back',
    keys: ['Shift+ ', 'j'],
    group: 'play',
    title: m.command_play_back,
    when: onStage,
    does: effect((to) => to.playBack()),
  },
  {
    id: 'play.forward',
    keys: [],
    group: 'play',
    title: m.command_play_forward,
    when: onStage,
    does: effect((to) => to.playForward()),
  },
  {
    id: 'play.faster',
    keys: ['+', '='],
    group: 'play',
    title: m.command_play_faster,
    when: onStage,
    does: effect((to) => to.faster()),
  },
  {
    id: 'play.slower',
    keys: ['-'],
    group: 'play',
    title: m.command_play_slower,
    when: onStage,
    does: effect((to) => to.slower()),
  },
  {
    id: 'play.pacing',
    keys: ['p'],
    group: 'play',
    title: m.command_play_pacing,
    when: onStage,
    does: effect((to) => to.togglePacing()),
  },
  {
    id: 'play.loop',
    keys: ['l'],
    group: 'play',
    title: m.command_play_loop,
    when: (view, facts) =>
      onStage(view, facts) && (view.loop ?? view.range ?? view.zoom) !== undefined,
    otherwise: () => m.said_range_or_zoom_first(),
    does: view(loopToggled, sayLoop),
  },
  {
    id: 'step.hop.next',
    keys: ['ArrowRight'],
    group: 'step',
    title: m.command_step_hop_next,
    when: onStage,
    does: effect((to) => to.step('hop', true)),
  },
  {
    id: 'step.hop.previous',
    keys: ['ArrowLeft'],
    group: 'step',
    title: m.command_step_hop_previous,
    when: onStage,
    does: effect((to) => to.step('hop', false)),
  },
  {
    id: 'step.packet.next',
    keys: ['Shift+ArrowRight', 'PageDown'],
    group: 'step',
    title: m.command_step_packet_next,
    when: onStage,
    does: effect((to) => to.step('packet', true)),
  },
  {
    id: 'step.packet.previous',
    keys: ['Shift+ArrowLeft', 'PageUp'],
    group: 'step',
    title: m.command_step_packet_previous,
    when: onStage,
    does: effect((to) => to.step('packet', false)),
  },
  {
    id: 'step.event.next',
    keys: ['.'],
    group: 'step',
    title: m.command_step_event_next,
    when: onStage,
    does: effect((to) => to.step('event', true)),
  },
  {
    id: 'step.event.previous',
    keys: [','],
    group: 'step',
    title: m.command_step_event_previous,
    when: onStage,
    does: effect((to) => to.step('event', false)),
  },
  {
    id: 'step.drop.next',
    keys: ['x'],
    group: 'step',
    title: m.command_step_drop_next,
    when: onStage,
    does: effect((to) => to.step('drop', true)),
  },
  {
    id: 'step.drop.previous',
    keys: ['Shift+X'],
    group: 'step',
    title: m.command_step_drop_previous,
    when: onStage,
    does: effect((to) => to.step('drop', false)),
  },
  {
    id: 'step.start',
    keys: ['Home'],
    group: 'step',
    title: m.command_step_start,
    when: onStage,
    does: view(
      at(() => 0),
      sayTime,
    ),
  },
  {
    id: 'step.end',
    keys: ['End'],
    group: 'step',
    title: m.command_step_end,
    when: onStage,
    does: view(
      at(({ duration }) => duration),
      sayTime,
    ),
  },
] as const satisfies readonly Command[];
