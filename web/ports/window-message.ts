/**
 * What windows of the page say to each other, and how it is read. Whatever is served from the same
 * origin can speak on the channel, so a message is checked as a link is: what is not of this form is
 * left unheard. The view travels as the text of a link, which is read by the one reader of links.
 */
import * as v from 'valibot';
import type { Input } from '../core/core.ts';
import { ShownStepSchema } from '../lesson/format/shown-step.ts';
import { index as place, whole } from '../session/schemas.ts';
import { LONGEST_LINK, parseViewState, type ViewState } from '../session/view-state.ts';

const VERSION = 1;

const id = v.pipe(v.string(), v.regex(/^[0-9a-f-]{8,40}$/));
const fingerprint = v.pipe(v.string(), v.regex(/^[0-9a-f]{8,64}$/));
/** Files are handed over up to this many at once, with names of up to so many letters. */
export const HANDED_OVER = { files: 16, letters: 300 } as const;
const title = v.pipe(v.string(), v.minLength(1), v.maxLength(HANDED_OVER.letters));

/** A view as a link says it; a link with anything wrong in it is no view. */
const view = v.pipe(
  v.string(),
  v.maxLength(LONGEST_LINK),
  v.transform(parseViewState),
  v.check(({ notices }) => notices.length === 0),
  v.transform((read): ViewState => read.view),
);

/** How the film runs, beside what a view says of it. */
const film = v.strictObject({
  isPlaying: v.boolean(),
  isReversed: v.boolean(),
  pace: v.pipe(v.number(), v.minValue(0.001), v.maxValue(10_000)),
  /** The packet that told film is about; nothing: a typical one. */
  focus: v.optional(place),
  /** A question holds the film here. */
  heldAt: v.optional(v.pipe(v.number(), v.finite(), v.minValue(0))),
});

/** What has a ring around it on the stage. */
const ringed = v.variant('kind', [
  v.strictObject({ kind: v.literal('cpu'), cpu: place }),
  v.strictObject({ kind: v.literal('packet'), packet: place }),
  v.strictObject({ kind: v.literal('station'), station: place }),
  v.strictObject({ kind: v.literal('lane'), lane: v.pipe(v.string(), v.maxLength(40)) }),
  v.strictObject({
    kind: v.literal('queues'),
    queues: v.pipe(v.array(place), v.maxLength(256)),
  }),
]);

const input = v.strictObject({
  name: title,
  data: v.instance(Blob),
  clockOffset: v.optional(v.pipe(v.number(), v.finite())),
});

const clock = v.pipe(v.number(), v.finite(), v.minValue(0));
const excerpt = v.strictObject({
  cpu: v.optional(place),
  from: v.optional(clock),
  to: v.optional(clock),
});

const head = { ringside: v.literal(VERSION), from: id };

const MessageSchema = v.variant('kind', [
  /** A window has come, and asks what there is to see. */
  v.strictObject({ ...head, kind: v.literal('hello') }),
  /** A window goes. */
  v.strictObject({ ...head, kind: v.literal('bye') }),
  /** What is to be seen, by the window that acted last: `turn` counts the acts, `by` is whose it was. */
  v.strictObject({
    ...head,
    kind: v.literal('state'),
    turn: whole,
    by: id,
    view,
    film,
    ringed: v.pipe(v.array(ringed), v.maxLength(16)),
    step: v.optional(ShownStepSchema),
  }),
  /** A window is to show files of the viewer's own, and does not have them. */
  v.strictObject({ ...head, kind: v.literal('wants'), own: fingerprint }),
  /** They are more than can be handed over. */
  v.strictObject({ ...head, kind: v.literal('keeps'), own: fingerprint }),
  /** The files: only handed on, nothing is copied. */
  v.strictObject({
    ...head,
    kind: v.literal('files'),
    own: fingerprint,
    title,
    excerpt: v.optional(excerpt),
    inputs: v.pipe(v.array(input), v.minLength(1), v.maxLength(HANDED_OVER.files)),
  }),
]);

export type Message = v.InferOutput<typeof MessageSchema>;
export type State = Extract<Message, { kind: 'state' }>;
export type FilmState = State['film'];

/** What goes onto the channel: as it is read, but for the view, which is a link's text. */
export type Sent =
  | Exclude<Message, State>
  | (Omit<State, 'view' | 'ringed'> & {
      readonly view: string;
      readonly ringed: readonly unknown[];
    });

/** A message as it came; nothing where it is not one of ours. */
export function readMessage(data: unknown): Message | undefined {
  const result = v.safeParse(MessageSchema, data);
  return result.success ? result.output : undefined;
}

/** The inputs of a message, as the core takes them. */
export function inputsOf({ inputs }: Extract<Message, { kind: 'files' }>): readonly Input[] {
  return inputs.map(({ name, data, clockOffset }) => ({
    ...{ name, data },
    ...(clockOffset === undefined ? {} : { clockOffset }),
  }));
}
