/**
 * What is flagged on the time line: what the core found, by its number in the list, and the notes that the
 * viewer pinned. A flag that stands for several tells all of them.
 */
import type { Nanos, Stretch } from '../core/core.ts';
import type { Finding, Severity } from '../core/findings.ts';
import type { Note } from '../session/notes.ts';
import type { Flag } from '../scene/timeline/flags.ts';

export interface Mark extends Flag {
  /** What it is about; a note is the viewer's own. */
  readonly look: Severity | 'note';
  readonly isChosen: boolean;
  /** All of it in words, for the tip. */
  readonly text: string;
  /** What a double click zooms to. */
  readonly stretch: Stretch;
  readonly choose: () => void;
}

export interface MarkedFindings {
  readonly all: readonly Finding[];
  /** The place of the one that was looked at last. */
  readonly chosen: number | undefined;
  readonly titleOf: (finding: Finding) => string;
  readonly choose: (place: number) => void;
}

/** The findings as marks: the one that was chosen first, so that it is never covered. */
export function findingMarks({ all, chosen, titleOf, choose }: MarkedFindings): readonly Mark[] {
  const marks = all.map((finding, place): Mark => {
    const title = titleOf(finding);
    return {
      key: `finding ${place}`,
      time: finding.moment,
      sign: String(place + 1),
      words: title,
      text: `${place + 1} · ${title}`,
      look: finding.severity,
      isChosen: place === chosen,
      stretch: spanOf(finding),
      choose: () => choose(place),
    };
  });
  const first = chosen === undefined ? undefined : marks[chosen];
  return first === undefined ? marks : [first, ...marks.filter((mark) => mark !== first)];
}

/** The notes as marks; they are the viewer's own, so they come before what was found. */
export function noteMarks(notes: readonly Note[], choose: (note: Note) => void): readonly Mark[] {
  return notes.map((note) => ({
    key: `note ${note.time}`,
    time: note.time,
    sign: '✎',
    words: note.text,
    text: note.text,
    look: 'note',
    isChosen: false,
    stretch: { from: note.time, to: note.time },
    choose: () => choose(note),
  }));
}

/** Where a run and the one beside it first part. */
export function partingMarks(
  time: Nanos | undefined,
  text: string,
  choose: () => void,
): readonly Mark[] {
  if (time === undefined) return [];
  const stretch = { from: time, to: time };
  const look = { sign: '≠', words: text, text, look: 'note', isChosen: false } as const;
  return [{ key: 'parting', time, ...look, stretch, choose }];
}

/** What is done to a run by hand, at its moment; B's beside A's have its letter. */
export function faultMarks(
  faults: readonly { readonly time: Nanos; readonly text: string }[],
  letter: '' | 'B',
  choose: (time: Nanos) => void,
): readonly Mark[] {
  return faults.map(({ time, text }) => ({
    key: `fault ${letter} ${time} ${text}`,
    time,
    ...{ sign: `⚑${letter}`, words: text, text, look: 'note', isChosen: false },
    stretch: { from: time, to: time },
    choose: () => choose(time),
  }));
}

/** Where it can be seen: its moment is always within. */
function spanOf({ from, to, moment }: Finding): { readonly from: Nanos; readonly to: Nanos } {
  return { from: Math.min(from, moment), to: Math.max(to, moment) };
}
