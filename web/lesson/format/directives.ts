/**
 * All directives of a lesson with their attributes. A directive or an attribute that is not listed here is
 * a mistake. `lessons/schema.json` is generated from this file and `front-matter.ts`.
 */
import { messageOf } from '../../core/message-of.ts';
import * as v from 'valibot';
import { STAGE_VIEWS } from '../../core/stage-view.ts';
import { readFact, readTerm } from './fact.ts';
import { readMoment, readPacket } from './moment.ts';

/** A text attribute that one of our small grammars reads; the reader's error becomes the issue. */
function read<T>(description: string, reader: (text: string) => T) {
  return v.pipe(
    v.string(),
    v.description(description),
    v.rawTransform<string, T>(({ dataset, addIssue, NEVER }) => {
      try {
        return reader(dataset.value);
      } catch (error) {
        addIssue({ message: messageOf(error) });
        return NEVER;
      }
    }),
  );
}

const text = v.pipe(v.string(), v.minLength(1));
const name = v.pipe(text, v.regex(/^[a-z][a-z0-9-]*$/, 'a name has small letters, digits and -'));
const moment = read(
  'A moment: start, end, 12.4 ms, “typical journey enters IP”, “finding …”.',
  readMoment,
);
const packet = read('A packet by the part it plays: typical journey, first drop …', readPacket);
const fact = read('A comparison of measures: throughput@two / throughput@one < 0.9', readFact);
const terms = read('Measures to show, with commas between them.', (list) =>
  // A comma within brackets belongs to the measure.
  list.split(/,(?![^(]*\))/).map((part) => readTerm(part)),
);
const seconds = read('Seconds of film: 8 s', (given) => {
  const found = /^(\d+(?:\.\d+)?) ?s$/.exec(given);
  if (found === null) throw new Error(`“${given}” is not a number of seconds, such as 8 s`);
  return Number(found[1]);
});
const share = read('A share: 10 %', (given) => {
  const found = /^(\d+(?:\.\d+)?) ?%$/.exec(given);
  if (found === null) throw new Error(`“${given}” is not a share, such as 10 %`);
  return Number(found[1]) / 100;
});
const integer = (least: number, most: number) =>
  read(`A whole number from ${least} to ${most}.`, (given) => {
    const number = Number(given);
    if (Number.isInteger(number) && least <= number && number <= most) return number;
    throw new Error(`“${given}” is not a whole number from ${least} to ${most}`);
  });

/** The form of a directive: `::name{…}` alone, or `:::name{…}` with text up to a line of `:::`. */
export type Shape = 'leaf' | 'container';

export const DIRECTIVES = {
  show: {
    shape: 'leaf',
    about:
      'What the stage shows from here on; what is left out stays as it was in the step before.',
    schema: v.strictObject({
      run: v.optional(v.pipe(name, v.description('A run of the head.'))),
      view: v.optional(v.picklist(STAGE_VIEWS)),
      at: v.optional(moment),
      follow: v.optional(packet),
    }),
  },
  play: {
    shape: 'leaf',
    about: 'Film: until a moment, at most so long; at least so long, if it has to be looked at.',
    schema: v.strictObject({
      until: v.optional(moment),
      for: v.optional(seconds),
      least: v.optional(seconds),
    }),
  },
  focus: {
    shape: 'leaf',
    about: 'What to look at; each attribute is a target, and a step has two at most.',
    schema: v.strictObject({
      station: v.optional(text),
      queue: v.optional(text),
      cpu: v.optional(integer(0, 1023)),
      packet: v.optional(packet),
      finding: v.optional(name),
      function: v.optional(text),
    }),
  },
  ask: {
    shape: 'container',
    about:
      'A question: its text, then a list of “- [ ] option `fact`” and one “- [x] option `fact`”; the lines below an option say why.',
    schema: v.strictObject({
      id: name,
      lock: v.optional(
        v.pipe(v.literal(''), v.description('Holds the lesson until it is answered.')),
      ),
      transfer: v.optional(
        v.pipe(v.literal(''), v.description('The last question, on another run.')),
      ),
    }),
  },
  reveal: {
    shape: 'leaf',
    about: 'Bars of measures, with what was predicted in an ask beside them.',
    schema: v.strictObject({ ask: name, bars: terms, labels: text }),
  },
  vary: {
    shape: 'container',
    about: 'The learner changes settings of a scenario and runs it until the goal is met.',
    schema: v.strictObject({ run: name, goal: fact, show: terms }),
  },
  set: {
    shape: 'leaf',
    about: 'Within vary: a setting and the values to choose from.',
    schema: v.strictObject({
      name: v.pipe(v.string(), v.regex(/^[a-z_]+$/)),
      label: text,
      values: read('Values with commas between them; “1: one processor” names one.', readChoices),
    }),
  },
  compare: {
    shape: 'leaf',
    about: 'A published number beside what was predicted of it and what a run of the lesson gives.',
    schema: v.strictObject({
      entry: v.pipe(text, v.description('An entry of the published numbers: ba.fig5.')),
      item: v.pipe(text, v.description('A line of the entry, as the scoreboard spells it.')),
      unit: v.optional(v.pipe(text, v.description('Where the entry has more than one.'))),
      label: v.optional(
        v.pipe(text, v.description('What a learner reads in place of the item’s own short words.')),
      ),
      measure: terms,
      tolerance: share,
      direction: v.optional(fact),
      ask: v.optional(
        v.pipe(
          name,
          v.description(
            'The question of a step before that asked for it: what was answered stands beside.',
          ),
        ),
      ),
    }),
  },
  expect: {
    shape: 'leaf',
    about: 'A fact that the run must bear out.',
    schema: v.strictObject({ fact }),
  },
  card: {
    shape: 'leaf',
    about: 'A card of the glossary, open in this step.',
    schema: v.strictObject({ term: text }),
  },
  hint: { shape: 'container', about: 'Help, shown on request.', schema: v.strictObject({}) },
  alt: {
    shape: 'container',
    about: 'The step in words: one sentence for the state, one for what changes.',
    schema: v.strictObject({}),
  },
  notes: { shape: 'container', about: 'For the lecturer.', schema: v.strictObject({}) },
} as const satisfies Readonly<Record<string, DirectiveKind>>;

interface DirectiveKind {
  readonly shape: Shape;
  readonly about: string;
  readonly schema: v.GenericSchema;
}

export type DirectiveName = keyof typeof DIRECTIVES;
export type Attributes<Name extends DirectiveName> = v.InferOutput<
  (typeof DIRECTIVES)[Name]['schema']
>;

export interface Choice {
  readonly value: string | number | boolean;
  readonly label: string;
}

/** Reads `1: one processor, 2: two processors`. */
function readChoices(given: string): readonly Choice[] {
  const choices = given.split(',').map((part): Choice => {
    const [value = '', label = value] = part.split(':').map((side) => side.trim());
    if (value === '') throw new Error(`“${given}” has an empty value`);
    if (value === 'true' || value === 'false') return { value: value === 'true', label };
    return { value: Number.isFinite(Number(value)) ? Number(value) : value, label };
  });
  if (choices.length < 2) throw new Error(`“${given}” leaves nothing to choose`);
  return choices;
}
