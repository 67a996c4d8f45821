/** Numbers as they are typed: what takes effect, and what is one change. */
import { expect, test } from 'vitest';
import { mayGrow } from './bounds.ts';
import { Typing } from './typing.ts';

test('a number takes effect while it is typed, unless more digits may bring it into its bounds', () => {
  const waiting = (texts: string, min?: number) =>
    texts.split(' ').filter((text) => mayGrow(text, min));
  expect(waiting('5 57 576 9001 1.5', 576)).toEqual(['5', '57', '1.5']);
  expect(waiting('0 1 12')).toEqual([]);
  expect(mayGrow('')).toBe(true);
});

test('all digits of a number are one change of what was there before the first', () => {
  const typing = new Typing();
  expect(typing.start('8')).toEqual({ before: '8', goesOn: false });
  typing.typed('8', '1');
  expect(typing.start('1')).toEqual({ before: '8', goesOn: true });
  typing.typed('1', '16');
  // Back to where it began, and on.
  typing.typed('16', '8');
  expect(typing.start('8')).toEqual({ before: '8', goesOn: true });
  typing.end();
  expect(typing.start('8')).toEqual({ before: '8', goesOn: false });
});

test('a digit that changes nothing begins nothing, and what came from elsewhere is gone on from', () => {
  const typing = new Typing();
  typing.typed('8', '8');
  expect(typing.start('8').goesOn).toBe(false);
  typing.typed('8', '80');
  expect(typing.start('a link')).toEqual({ before: 'a link', goesOn: false });
});
