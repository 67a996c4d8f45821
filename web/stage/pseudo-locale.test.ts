/**
 * Every word on the stage comes from the messages: each message is said between ⟦ and ⟧ here, and
 * what is read outside of them on the canvas, in what it explains and in what it tells the screen
 * reader is a name of the run, a word of the kernel's or a number with its unit.
 */
import { expect, test, vi } from 'vitest';
import type { Glossary, Opened } from '../core/core.ts';
import { STAGE_VIEWS } from '../core/stage-view.ts';
import { drawn } from './films-drawn.ts';
import { FILMS, type SilentFilm } from './films.ts';
import { describe } from '../scene/describe.ts';
import { explain } from '../scene/explain.ts';
import type { Shape } from '../scene/shapes.ts';

vi.mock(import('../words/generated/messages.js'), async (original) => {
  const found = await original();
  const m = new Proxy(found.m, {
    get: (messages, name) => {
      const message = Reflect.get(messages, name) as (...given: unknown[]) => string;
      return (...given: unknown[]) => `⟦${message(...given)}⟧`;
    },
  });
  return { ...found, m };
});

/** What no language changes: letters on shells, units, abbreviations that the kernel uses itself. */
const KEPT =
  /\b(?:E|IP|TCP|UDP|L4|NMI|CPU|ns|µs|ms|s|B|kB|MB|GB|k|M|G|T|z z z)\b|NET_RX|NET_TX|[A-Z_]{4,}/gu;

/** Runs with drops, with tasks that wait, and of a model are looked at in all views; the others on the way. */
const EVERYWHERE = new Set(['full-socket', 'preempted-reader', 'cache-lines']);

test.each(FILMS)(
  'the stage says nothing that is not a message: $name',
  { timeout: 120_000 },
  async (film) => {
    const views = EVERYWHERE.has(film.name) ? STAGE_VIEWS : (['way'] as const);
    for (const view of views) expect(await straysOf({ ...film, view }), view).toEqual([]);
  },
);

async function straysOf(film: SilentFilm): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const { shapes, run, frame, words, sentences } of await drawn(film)) {
    const names = namesOf(run, words.glossary);
    const explained = shapes
      .flatMap(({ thing }) => thing ?? [])
      .flatMap((thing) => {
        const { title, lines, source } = explain(thing, frame, run, words);
        return [title, ...lines, source];
      });
    const texts = [
      ...shapes.flatMap(textsOf),
      ...explained,
      ...sentences,
      ...describe(frame, run, words),
    ];
    for (const text of new Set(texts)) {
      if (/\p{Letter}{2}/u.test(left(text, names))) found.add(text);
    }
  }
  return [...found];
}

/** Every text that a shape has painted. */
function textsOf(shape: Shape): readonly string[] {
  const own = 'text' in shape ? [shape.text] : [];
  const names = shape.kind === 'capsule' ? shape.names : [];
  const pieces = shape.kind === 'assembly' ? shape.pieces.map(({ text }) => text ?? '') : [];
  return [...own, ...names, ...pieces];
}

function namesOf(run: Opened, glossary: Glossary): readonly string[] {
  const words = [
    ...[glossary.stations, glossary.queues, glossary.contexts, glossary.verdicts],
    ...[glossary.dropReasons, glossary.probes],
  ].flat();
  return [
    ...words.flatMap(({ name, sentence, function: from, version }) => [
      name,
      sentence,
      from,
      version,
    ]),
    ...run.queues.map(({ label }) => label),
    ...run.tasks.map(({ comm }) => comm),
    ...[...run.machine.objects, ...run.machine.locks, ...run.machine.timers],
  ]
    .filter((name) => name.length > 1)
    .sort((a, b) => b.length - a.length);
}

/** What is left of a text without messages, which stand in messages too, and without names. */
function left(text: string, names: readonly string[]): string {
  let rest = text;
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest.replaceAll(/⟦[^⟦⟧]*⟧/gu, '');
  }
  // A text that is cut to fit has lost its end, or the end of a name.
  rest = rest.replace(/⟦[^⟧]*…?$/u, '');
  if (rest.endsWith('…')) {
    const cut = rest.slice(0, -1);
    const isOfName = names.some(
      (name) => name.length > 1 && cut.length > 0 && name.startsWith(lastWords(cut, name)),
    );
    if (isOfName) return '';
  }
  for (const name of names) rest = rest.replaceAll(name, '');
  return rest.replaceAll(KEPT, '');
}

/** The end of a text from where a name begins in it. */
function lastWords(text: string, name: string): string {
  const at = text.lastIndexOf(name.slice(0, 2));
  return at === -1 ? '\u0000' : text.slice(at);
}
