/**
 * Notes pinned to moments: short texts by the viewer that are part of the link. A link may come from
 * anyone, so a note read from one is checked like one that is typed: number, length, a single line, and no
 * characters that change the text's direction.
 */
import * as v from 'valibot';
import type { Nanos, PacketId } from '../core/core.ts';
import { m } from '../words/generated/messages.js';
import { HARMFUL } from './harmless.ts';
import { index, whole } from './schemas.ts';
import { formOf, type Form } from './view-state-forms.ts';

export interface Note {
  readonly time: Nanos;
  readonly text: string;
  /** The packet that it concerns, if any. */
  readonly packet?: PacketId;
}

export const MOST_NOTES = 8;
export const LONGEST_NOTE = 140;
/** Maximum length of all notes in a link: a character outside ASCII takes up to nine. */
const LONGEST_WRITTEN = 1800;

const text = v.pipe(
  v.string(),
  v.check((value) => isNote(value)),
);
const written = v.pipe(
  v.array(v.union([v.strictTuple([whole, text]), v.strictTuple([whole, text, index])])),
  v.minLength(1),
  v.maxLength(MOST_NOTES),
);

function isNote(value: string): boolean {
  return value === noteText(value) && value !== '';
}

/** The text of a note from typed input: one line, cut to the maximum length, harmless. */
export function noteText(typed: string): string {
  const safe = typed.replaceAll(/\s/gu, ' ').replaceAll(new RegExp(HARMFUL, 'gu'), '');
  const line = safe.replaceAll(/ +/g, ' ').trim();
  const whole = Array.from(line.replaceAll(/\p{Cs}/gu, '\uFFFD'));
  return whole.slice(0, LONGEST_NOTE).join('').trim();
}

/** Adds a note, or replaces the one at the same moment; ordered by time. */
export function withNote(notes: readonly Note[], note: Note): readonly Note[] {
  const others = notes.filter(({ time }) => time !== note.time);
  return [...others, note].sort((a, b) => a.time - b.time);
}

/** The notes within a run's duration; a packet that the run does not have is left out. */
export function notesWithin(
  notes: readonly Note[] | undefined,
  duration: Nanos,
  packets: number,
): readonly Note[] {
  return (notes ?? [])
    .filter(({ time }) => time <= duration)
    .map(({ packet, ...note }) =>
      packet === undefined || packet >= packets ? note : { ...note, packet },
    );
}

/** Whether all notes fit into a link. */
export function fitsLink(notes: readonly Note[]): boolean {
  return notes.length <= MOST_NOTES && write(notes).length <= LONGEST_WRITTEN;
}

/** `[[1200,"look here"],[4500,"and here",7]]`, in order of time. */
export const theNotes: Form<readonly Note[]> = formOf(
  v.pipe(
    v.string(),
    v.maxLength(LONGEST_WRITTEN),
    v.parseJson(),
    written,
    v.transform((rows) =>
      rows.reduce<readonly Note[]>(
        (all, [time, said, packet]) =>
          withNote(all, { time, text: said, ...(packet === undefined ? {} : { packet }) }),
        [],
      ),
    ),
    v.check(fitsLink),
  ),
  () => m.link_why_notes({ most: String(MOST_NOTES), longest: String(LONGEST_NOTE) }),
  write,
);

function write(notes: readonly Note[]): string {
  const rows = notes.map(({ time, text: said, packet }) =>
    packet === undefined ? [time, said] : [time, said, packet],
  );
  return encodeURIComponent(JSON.stringify(rows)).replace(/%2C/g, ',');
}
