/** Notes in links: what is written reads back, and what is hostile is left out and told. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  fitsLink,
  LONGEST_NOTE,
  MOST_NOTES,
  noteText,
  theNotes,
  withNote,
  type Note,
} from './notes.ts';
import { DEFAULT_VIEW, parseViewState, serialiseViewState } from './view-state.ts';

const anyNote = fc.record(
  {
    time: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
    text: fc
      .string({ unit: 'binary', maxLength: 60 })
      .map(noteText)
      .filter((text) => text !== ''),
    packet: fc.nat({ max: 0xffff_fffe }),
  },
  { requiredKeys: ['time', 'text'] },
);

test('notes of any text travel in a link', () => {
  fc.assert(
    fc.property(fc.array(anyNote, { minLength: 1, maxLength: 3 }), (given) => {
      const notes = given.reduce<readonly Note[]>(withNote, []);
      fc.pre(fitsLink(notes));
      const view = { ...DEFAULT_VIEW, notes };
      expect(parseViewState(serialiseViewState(view))).toEqual({ view, notices: [] });
    }),
  );
});

test('what is typed becomes one harmless line', () => {
  expect(noteText('  look\n\there  ')).toBe('look here');
  expect(noteText('a\u202Eb\u0000c\u2066')).toBe('abc');
  expect(noteText('a \u0000 b')).toBe('a b');
  expect(noteText('<img src=x onerror=alert(1)>')).toBe('<img src=x onerror=alert(1)>');
  expect(Array.from(noteText('ü'.repeat(500)))).toHaveLength(LONGEST_NOTE);
  expect(noteText('\uD800x')).toBe('\uFFFDx');
});

test('a note at the same moment takes the place of the one before', () => {
  const notes = withNote([{ time: 5, text: 'a' }], { time: 2, text: 'b' });
  expect(notes.map(({ text }) => text)).toEqual(['b', 'a']);
  expect(withNote(notes, { time: 5, text: 'c' })).toEqual([
    { time: 2, text: 'b' },
    { time: 5, text: 'c' },
  ]);
});

test('a link’s notes are taken only as they must be', () => {
  const many = Array.from({ length: MOST_NOTES + 1 }, (_, at) => [at, 'x']);
  for (const hostile of [
    '',
    '[',
    '{}',
    '[]',
    'null',
    '[[1]]',
    '[[1,2]]',
    '[["1","x"]]',
    '[[-1,"x"]]',
    '[[1.5,"x"]]',
    '[[1,""]]',
    '[[1," x"]]',
    '[[1,"a\\nb"]]',
    '[[1,"a\u202Eb"]]',
    '[[1,"x",-1]]',
    '[[1,"x",1,1]]',
    '[[1,"x",4294967295]]',
    '[{"time":1,"text":"x"}]',
    JSON.stringify([[1, 'x'.repeat(LONGEST_NOTE + 1)]]),
    JSON.stringify(many),
    `[[1,"${'\u4e2d'.repeat(140)}"],[2,"${'\u4e2d'.repeat(140)}"]]`,
  ]) {
    expect(theNotes.read(hostile), hostile).toBeUndefined();
    const { view, notices } = parseViewState(`v=1&notes=${encodeURIComponent(hostile)}`);
    expect(view.notes).toBeUndefined();
    expect(notices[0]).toMatch(/list of notes/);
  }
});
