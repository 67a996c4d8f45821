/**
 * The front matter of a lesson, between two lines of `---`: its title and question, the runs that its steps
 * play, the terms that it explains first, and the teacher's block. An unknown key is a mistake. Fields that
 * are optional in a draft but required on the shelf are checked in `requirements.ts`.
 */
import * as v from 'valibot';
import { isMap, LineCounter, parseDocument, type Document } from 'yaml';
import type { MistakeList } from './mistakes.ts';

const text = v.pipe(v.string(), v.trim(), v.minLength(1));
const texts = v.pipe(v.array(text), v.minLength(1));
const name = v.pipe(
  v.string(),
  v.regex(/^[a-z][a-z0-9-]*$/, 'a name has small letters, digits and -'),
);
const minutes = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(90));
const setting = v.union([v.string(), v.number(), v.boolean()]);

/** The source of a run: a shipped recording, or a shipped scenario, changed or not. */
export const RunSourceSchema = v.union([
  v.strictObject({ recording: v.pipe(text, v.description('A folder of traces/.')) }),
  v.strictObject({
    scenario: v.pipe(text, v.description('A file of wasm-core/data/scenarios/, without .json.')),
    settings: v.optional(v.record(v.string(), setting)),
    duration_us: v.optional(v.pipe(v.number(), v.integer())),
    warmup_us: v.optional(v.pipe(v.number(), v.integer())),
    seed: v.optional(v.pipe(v.number(), v.integer())),
  }),
]);

const TeacherSchema = v.strictObject({
  goal: v.pipe(text, v.description('What a learner can do afterwards.')),
  prerequisites: texts,
  can_predict: v.pipe(
    texts,
    v.description('The steps of the procedure a learner can then predict.'),
  ),
  misconceptions: v.pipe(
    v.array(
      v.strictObject({
        belief: text,
        question: v.pipe(name, v.description('The id of the ask that shows it.')),
        option: v.pipe(
          v.number(),
          v.integer(),
          v.minValue(1),
          v.description('The wrong option that those choose who believe it, from 1.'),
        ),
      }),
    ),
    v.minLength(1),
  ),
  discuss: texts,
  board: v.pipe(text, v.description('What to draw on the board, in words.')),
});

export const FrontMatterSchema = v.strictObject({
  title: text,
  question: v.pipe(text, v.description('The one question that the lesson answers.')),
  minutes: v.optional(v.strictObject({ self: minutes, lecture: minutes }), { self: 5, lecture: 5 }),
  levels: v.optional(
    v.pipe(
      v.array(v.picklist(['viewing', 'responding', 'changing', 'constructing', 'presenting'])),
      v.description('How a learner takes part (Naps 2002).'),
    ),
    [],
  ),
  cards: v.optional(
    v.pipe(v.array(text), v.description('Terms of lessons/glossary.md that are explained first.')),
    [],
  ),
  runs: v.record(name, RunSourceSchema),
  teacher: v.optional(TeacherSchema),
});

export type FrontMatter = v.InferOutput<typeof FrontMatterSchema>;
export type RunSource = v.InferOutput<typeof RunSourceSchema>;

export interface Head {
  /** `undefined` if it has mistakes, which are then in the list. */
  readonly values: FrontMatter | undefined;
  /** The lesson's text from the line after the front matter. */
  readonly body: string;
  /** Number of lines of the front matter. */
  readonly lines: number;
}

/** Splits a lesson into front matter and body, and checks the front matter. */
export function readHead(source: string, mistakes: MistakeList): Head {
  const found = /^---\n([\s\S]*?)\n---\n/.exec(source);
  if (found === null) {
    mistakes.add(1, 'a lesson begins with its head between two lines of “---”');
    return { values: undefined, body: source, lines: 0 };
  }
  const [whole, yaml = ''] = found;
  const lines = whole.split('\n').length - 1;
  return { values: valuesOf(yaml, mistakes), body: source.slice(whole.length), lines };
}

function valuesOf(yaml: string, mistakes: MistakeList): FrontMatter | undefined {
  const counter = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: counter });
  // The first line of the front matter is the second of the file.
  const lineAt = (offset: number) => counter.linePos(offset).line + 1;
  for (const { message, pos } of document.errors) {
    mistakes.add(lineAt(pos[0]), message.split('\n')[0] ?? message);
  }
  if (document.errors.length > 0) return undefined;
  const { success, output, issues } = v.safeParse(FrontMatterSchema, document.toJS());
  if (success) return output;
  for (const issue of issues) {
    const path = (issue.path ?? []).map(({ key }) => key as string | number);
    mistakes.add(lineAt(offsetOf(document, path)), `${path.join('.')}: ${issue.message}`);
  }
  return undefined;
}

/** The offset of the value at a path, or of its nearest existing ancestor. */
function offsetOf(document: Document, path: readonly (string | number)[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const parent: unknown =
      length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    if (!isMap(parent)) {
      const node: unknown = document.getIn(path.slice(0, length), true);
      if (hasRange(node)) return node.range[0];
      continue;
    }
    const pair = parent.items.find(({ key }) => String(key) === String(path[length - 1]));
    if (pair !== undefined && hasRange(pair.key)) return pair.key.range[0];
  }
  return 0;
}

function hasRange(node: unknown): node is { readonly range: readonly [number, number, number] } {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);
}
