/**
 * The commands of the film: playing, pacing, and steps from one thing to the next.
 */
import type { StepKind } from '../core/run.ts';
import { m } from '../words/generated/messages.js';
import { effect, sayLoop, sayTime, view } from './command-words.ts';
import { onStage, type Command, type Facts } from './command.ts';
import { at, loopToggled } from './view-changes.ts';
import type { ViewState } from './view-state.ts';

type Title = () => string;

/** A step to the next moment of a kind, and to the one before. */
const next = <const Kind extends StepKind>(kind: Kind, keys: readonly string[], title: Title) =>
  ({
    ...step(keys, title),
    id: `step.${kind}.next`,
    does: effect((to) => to.step(kind, true)),
  }) as const;
const previous = <const Kind extends StepKind>(kind: Kind, keys: readonly string[], title: Title) =>
  ({
    ...step(keys, title),
    id: `step.${kind}.previous`,
    does: effect((to) => to.step(kind, false)),
  }) as const;

const step = (keys: readonly string[], title: Title) =>
  ({ keys, group: 'step', title, when: onStage }) as const;

export const isLesson = (view: ViewState, facts: Facts) =>
  onStage(view, facts) && facts.isLesson === true;

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
  next('hop', ['ArrowRight'], m.command_step_hop_next),
  previous('hop', ['ArrowLeft'], m.command_step_hop_previous),
  next('packet', ['Shift+ArrowRight', 'PageDown'], m.command_step_packet_next),
  previous('packet', ['Shift+ArrowLeft', 'PageUp'], m.command_step_packet_previous),
  {
    id: 'lesson.next',
    keys: ['PageDown'],
    takesKeys: true,
    group: 'step',
    title: m.command_lesson_next,
    when: isLesson,
    does: effect((to) => to.turnLesson(1)),
  },
  {
    id: 'lesson.previous',
    keys: ['PageUp'],
    takesKeys: true,
    group: 'step',
    title: m.command_lesson_previous,
    when: isLesson,
    does: effect((to) => to.turnLesson(-1)),
  },
  next('event', ['.'], m.command_step_event_next),
  previous('event', [','], m.command_step_event_previous),
  next('drop', ['x'], m.command_step_drop_next),
  previous('drop', ['Shift+X'], m.command_step_drop_previous),
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
