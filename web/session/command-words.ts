/**
 * What commands say when they are done, and the two kinds of what they do, made short to write.
 */
import { formatMoment, formatRoundNanos } from '../numbers/format.ts';
import type { StepKind } from '../core/run.ts';
import { m } from '../words/generated/messages.js';
import type { Change, Effect } from './command.ts';

export function view(change: Change['change'], say?: NonNullable<Change['say']>): Change {
  return say === undefined ? { kind: 'view', change } : { kind: 'view', change, say };
}

export function effect(run: Effect['run']): Effect {
  return { kind: 'effect', run };
}

export const THEME_SAID = {
  system: m.said_theme_system,
  light: m.said_theme_light,
  dark: m.said_theme_dark,
};

/** Sentences for a step without a target, by kind and direction. */
export const NO_STEP = {
  event: { after: m.said_no_event_after, before: m.said_no_event_before },
  hop: { after: m.said_no_hop_after, before: m.said_no_hop_before },
  packet: { after: m.said_no_packet_after, before: m.said_no_packet_before },
  drop: { after: m.said_no_drop_after, before: m.said_no_drop_before },
} as const satisfies Record<StepKind, unknown>;

type Say = NonNullable<Change['say']>;

export const sayLoop: Say = ({ loop }) =>
  loop === undefined
    ? m.said_loop_off()
    : m.said_looping({ length: formatRoundNanos(loop.to - loop.from) });

export const sayTime: Say = ({ time }, _, { duration }) => formatMoment(time ?? 0, duration);

export const sayRange: Say = ({ range }) =>
  range && m.said_range({ length: formatRoundNanos(range.to - range.from) });

export const sayFollow: Say = ({ isFollowing }) =>
  isFollowing ? m.said_following() : m.said_not_following();

const VIEWS = {
  way: m.command_view_way,
  queues: m.command_view_queues,
  caches: m.command_view_caches,
  scheduler: m.command_view_scheduler,
  locks: m.command_view_locks,
};

export const sayView: Say = ({ stageView }) => VIEWS[stageView]();
