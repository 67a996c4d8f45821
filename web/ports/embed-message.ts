/**
 * What a page that holds Ringside in a frame may ask of it, and what it is told, each word checked as
 * it comes. `embed-schema.ts` publishes the same for those who write such a page.
 */
import * as v from 'valibot';
import { STAGE_VIEWS } from '../core/stage-view.ts';
import { PACINGS } from '../session/advance.ts';
import { index as packet, whole as nanos } from '../session/schemas.ts';
import type { Patch } from '../session/view-changes.ts';

const head = { ringside: v.literal(1) };
const stretch = v.strictObject({ from: nanos, to: nanos });
const about = <T extends v.GenericSchema>(schema: T, text: string) =>
  v.pipe(schema, v.description(text));

/** What of the view can be changed; null takes out what need not be there. */
const changes = {
  view: v.optional(about(v.picklist(STAGE_VIEWS), 'Which view of the moment the stage shows.')),
  packet: v.optional(about(v.nullable(packet), 'The packet that is chosen, by its index.')),
  follow: v.optional(about(v.boolean(), 'Whether the stage keeps that packet in view.')),
  range: v.optional(about(v.nullable(stretch), 'What is marked, in nanoseconds of the run.')),
  loop: v.optional(about(v.nullable(stretch), 'What is played over and over.')),
  pacing: v.optional(about(v.picklist(PACINGS), 'By which clock the film runs.')),
  speed: v.optional(
    about(
      v.pipe(v.number(), v.minValue(1), v.maxValue(1e12)),
      'In true time: nanoseconds of the run for a second of film.',
    ),
  ),
};

export const OrderSchema = v.variant('do', [
  about(v.strictObject({ ...head, do: v.literal('play') }), 'Plays on from here.'),
  about(v.strictObject({ ...head, do: v.literal('pause') }), 'Stops the film.'),
  about(
    v.strictObject({ ...head, do: v.literal('seek'), time: nanos }),
    'Goes to a moment of the run, in nanoseconds.',
  ),
  about(
    v.strictObject({
      ...head,
      do: v.literal('step'),
      kind: v.picklist(['hop', 'packet', 'event', 'drop']),
      back: v.optional(v.boolean()),
    }),
    'Steps to the next thing of a kind, or to the one before.',
  ),
  about(
    v.strictObject({
      ...head,
      do: v.literal('finding'),
      number: v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(99)),
    }),
    'Shows a finding by its number in the list, from 1.',
  ),
  about(
    v.strictObject({ ...head, do: v.literal('show'), ...changes }),
    'Changes what is looked at; what is not given stays as it is.',
  ),
  about(v.strictObject({ ...head, do: v.literal('tell') }), 'Tells the state, changed or not.'),
]);

const StateSchema = about(
  v.strictObject({
    ...head,
    is: v.literal('state'),
    isPlaying: v.boolean(),
    time: about(nanos, 'The moment that is shown, in nanoseconds of the run.'),
    duration: about(nanos, 'Of the run, in nanoseconds.'),
    title: about(v.string(), 'Of the run.'),
    origin: about(v.picklist(['recorded', 'simulated']), 'Where the run is from.'),
    view: v.picklist(STAGE_VIEWS),
    packet: v.optional(about(packet, 'The packet that is chosen.')),
    finding: v.optional(about(v.number(), 'The finding that was looked at last, from 1.')),
    lesson: v.optional(about(v.string(), 'The step of a lesson, as in a link: two-processors.3')),
    link: about(
      v.string(),
      'The fragment that shows this moment again, with its #. What differs in it alone is not sent.',
    ),
  }),
  'What is to be seen: sent when anything but link changes; while film runs the time is no change, and comes four times a second.',
);

const RefusedSchema = about(
  v.strictObject({ ...head, is: v.literal('refused'), why: v.string() }),
  'An order was not carried out.',
);

export const WordSchema = v.variant('is', [StateSchema, RefusedSchema]);

export type Order = v.InferOutput<typeof OrderSchema>;
export type Word = v.InferOutput<typeof WordSchema>;
export type State = v.InferOutput<typeof StateSchema>;

/** What came, as an order; or why it is none. Nothing where it is not meant for Ringside at all. */
export function readOrder(data: unknown): { order: Order } | { why: string } | undefined {
  const isOurs = typeof data === 'object' && data !== null && 'ringside' in data;
  if (!isOurs) return undefined;
  const result = v.safeParse(OrderSchema, data);
  if (result.success) return { order: result.output };
  const [issue] = result.issues;
  return { why: `${v.getDotPath(issue) ?? 'message'}: ${issue.message}`.slice(0, 300) };
}

/** What an order to show changes of the view; null is nothing. */
export function patchOf(order: Extract<Order, { do: 'show' }>): Patch {
  const { view, packet: chosen, follow, range, loop, pacing, speed } = order;
  const given = {
    stageView: view,
    packet: chosen,
    isFollowing: follow,
    range,
    loop,
    pacing,
    speed,
  };
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([key, value]) => [key, value ?? undefined]));
}
