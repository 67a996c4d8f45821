/**
 * A lesson that lacks something or states something untrue is reported: each case takes a lesson of the
 * shelf and breaks one thing.
 */
import { describe, expect, it } from 'vitest';
import { formatMistake } from './format/mistakes.ts';
import { readLesson } from './format/read.ts';
import { unmet } from './requirements.ts';
import { played, readCards, readText } from './testing.ts';

const file = 'lessons/one-datagram/lesson.md';
const source = readText(file);

/** The lesson with one thing changed. Throws if the text to replace is absent. */
function spoilt(from: string | RegExp, to: string) {
  const text = source.replace(from, to);
  expect(text, 'the lesson no longer has what this test spoils').not.toBe(source);
  return readLesson(file, text);
}

const toldOf = (lesson: ReturnType<typeof readLesson>) =>
  unmet(lesson, readCards()).map(formatMistake).join('\n');

describe('of a lesson is wanted', () => {
  it.each([
    ['a question that holds', / lock( transfer)?}/g, '}', 'L1: a lesson asks'],
    ['something to vary', /:::vary[\s\S]*?\n:::\n/, '', 'L2: a lesson has something to vary'],
    [
      'few words',
      'This is a recording',
      `${'word '.repeat(60)}This is a recording`,
      /L3: “In how many frames\?” has \d+ words/,
    ],
    ['a short film', 'for="16 s"', 'for="40 s"', 'L3: a step plays for 20 s at most'],
    [
      'something to look at',
      '::focus{queue="rx ring"}\n::focus{cpu=0}\n',
      '',
      'L4: a step that plays',
    ],
    [
      'two things at once',
      '::focus{station=IP}',
      '::focus{station=IP cpu=1}\n',
      'L4: “Rows are layers',
    ],
    [
      'terms that are explained',
      ':term[softirq]',
      ':term[hardirq]',
      'L7: the glossary (lessons/glossary.md) has no “hardirq”',
    ],
    ['facts', /::expect.*\n/g, '', 'L8: a lesson states facts'],
    [
      'a prediction before a comparison',
      '::focus{station=IP}',
      '::focus{station=IP}\n::compare{entry=e item=i measure=throughput tolerance="10 %"}',
      'L1: what is compared was predicted before (ask)',
    ],
    [
      'a reason that a wrong answer is not told with a Yes',
      'It lies there for 172 µs',
      'Yes, 172 µs',
      'without “Yes”',
    ],
    ['a last question elsewhere', 'run=small view', 'view', 'L9: the last question is on a run'],
    [
      'a last question that waits',
      'id=small lock transfer',
      'id=small transfer',
      'L9: the last question waits (lock)',
    ],
    [
      'a last question that no film answers',
      ':::ask{id=small',
      '::play{until="typical journey ends" for="14 s"}\n:::ask{id=small',
      'its film is a step of its own',
    ],
    [
      'misconceptions that an answer shows',
      'question: pieces, option: 1',
      'question: pieces, option: 2',
      'L10: “A datagram always travels',
    ],
    ['words for those who do not see', /:::alt[\s\S]*?\n:::\n/, '', /L11: “In how many frames\?”/],
  ])('%s', (_, from, to, message) => {
    expect(toldOf(spoilt(from, to))).toMatch(message);
  });
});

describe('a run does not bear out', () => {
  it.each([
    [
      'a fact that is not so',
      'fact="merged = 250"',
      'fact="merged = 249"',
      '“merged = 249” is not so: 250, 249',
    ],
    [
      'a wrong answer that is right',
      '`fragments(typical journey) = 8`',
      '`fragments(typical journey) > 2`',
      'is wrong, and is so',
    ],
    [
      'a right answer that is wrong',
      '`fragments(typical journey) = 6`',
      '`fragments(typical journey) = 5`',
      'is right, and is not so',
    ],
    [
      'a station that is not there',
      'focus{station=reassembly}',
      'focus{station=assembly}',
      'there is no station “assembly”; there are wire, rx ring',
    ],
    [
      'a moment that never comes',
      'until="typical journey enters UDP"',
      'until="typical journey enters prequeue"',
      'is never at “prequeue”',
    ],
    [
      'a film that ends before it begins',
      'until="typical journey enters UDP"',
      'until=start',
      'the film ends before it begins',
    ],
    [
      'a goal that none meets',
      'goal="fragments(typical journey) = 1"',
      'goal="fragments(typical journey) = 2"',
      'is met by no choice',
    ],
    [
      'a goal that is met already',
      'goal="fragments(typical journey) = 1"',
      'goal="fragments(typical journey) > 1"',
      'is met before anything is changed',
    ],
    [
      'a setting that is not there',
      'set{name=mtu_bytes',
      'set{name=mtu',
      'there is no setting “mtu”',
    ],
    [
      'a finding that it does not have',
      'show{at="typical journey enters IP"}',
      'show{at="finding nothing-at-all"}',
      'this run has no finding “nothing-at-all”; it has',
    ],
    ['a recording that is not there', 'recording: udp-small', 'recording: udp-tiny', 'udp-tiny'],
  ])('%s', async (_, from, to, message) => {
    const { mistakes } = await played(spoilt(from, to));
    expect(mistakes.map(formatMistake).join('\n')).toContain(message);
  });
});

it('a lesson may name what was found: its moment, its packet, what to look at', async () => {
  const lesson = spoilt(
    '::show{at="typical journey enters IP"}\n::focus{station=IP}',
    '::show{at="finding longest-wait" follow="finding longest-wait"}\n::focus{finding=longest-wait}',
  );
  const { mistakes } = await played(lesson);
  expect(mistakes.map(formatMistake)).toEqual([]);
});
