/**
 * Lessons are read as written, and each mistake is reported with its file and line.
 */
import { describe, expect, it } from 'vitest';
import { LessonMistakes } from './mistakes.ts';
import { plain, plainBlocks } from './prose.ts';
import { readLesson } from './read.ts';
import { FRONT_MATTER } from './testing.ts';

const step = `
## Where it waits

The :term[softirq] takes it to **IP**, at \`ip_rcv\`.

::show{run=small view=queues at="typical journey enters IP"}
::focus{station=IP cpu=0}

:::ask{id=where lock}
Where does it wait?
- [ ] In *IP* \`longest-stay(typical journey) = "IP"\`
  It does not.
- [x] In the socket \`longest-stay(typical journey) = "receive queue"\`
  Right: for
  the reader.
:::
`;

function mistakesOf(body: string, before = FRONT_MATTER): string {
  try {
    readLesson('lessons/x/lesson.md', before + body);
  } catch (error) {
    if (error instanceof LessonMistakes) return error.message;
    throw error;
  }
  return 'none';
}

describe('a lesson', () => {
  const lesson = readLesson('lessons/x/lesson.md', FRONT_MATTER + step + '\n## Next\n\nText.\n');
  const [first, second] = lesson.steps;

  it('has its id from its folder and its steps from their headings', () => {
    expect(lesson.id).toBe('x');
    expect(lesson.steps.map(({ title, line }) => `${line} ${title}`)).toEqual([
      '19 Where it waits',
      '35 Next',
    ]);
  });

  it('has prose without its directives, and knows the terms in it', () => {
    expect(plainBlocks(first.prose)).toBe('The softirq takes it to IP, at ip_rcv.');
    expect(lesson.terms).toEqual([{ term: 'softirq', line: 21 }]);
  });

  it('has options with what they claim and why they are right or wrong', () => {
    const options = first.ask?.options ?? [];
    expect(options.map(({ text, isRight }) => [plain(text), isRight])).toEqual([
      ['In IP', false],
      ['In the socket', true],
    ]);
    expect(plain(options[1]?.feedback ?? [])).toBe('Right: for the reader.');
    expect(options[1]?.fact.text).toBe('longest-stay(typical journey) = "receive queue"');
    expect(first.ask).toMatchObject({ isLocked: true, isTransfer: false });
  });

  it('goes on in a step as the step before ended', () => {
    expect(second?.scene).toMatchObject({ run: 'small', view: 'queues' });
    expect(first.targets.map(({ kind }) => kind)).toEqual(['station', 'cpu']);
  });
});

describe('a mistake is told with its file and line:', () => {
  it.each([
    ['## S\n\n::sho{view=way}\n', /^lessons\/x\/lesson\.md:20: there is no directive “sho”/],
    ['## S\n\n::show{wiev=way}\n', /:20: show, wiev: Invalid key/],
    ['## S\n\n::show{view=sideways}\n', /:20: show, view: .*sideways/],
    ['## S\n\n::show{at="when it rains"}\n', /:20: show, at: “when it rains” names no packet/],
    ['## S\n\n:::show{view=way}\n:::\n', /:20: “show” is written with “::”/],
    ['## S\n\n<b>bold</b>\n', /:20: a lesson's text has no html/],
    ['## S\n\nSee [this](http:..) there.\n', /:20: a lesson's text has no link/],
    ['# S\n', /:18: a heading begins a step and has “##”/],
    ['text\n', /:18: there is text before the first “##”/],
    ['## S\n\n::expect{fact="speed > 3"}\n', /:20: expect, fact: there is no measure “speed”/],
    ['## S\n\n::expect{fact="took(typical journey) > 3"}\n', /compares a time with a number/],
    [
      '## S\n\n::expect{fact="verdict(typical journey) = \\"delivered\\""}\n',
      /:20: “::expect” is not written as a directive is/,
    ],
    ['## S\n\nAt port:five.\n', /:20: “:five” is no directive within text/],
    ['## S\n\n:::ask{id=a}\nWhy?\n- [x] So `dropped = 0`\n:::\n', /:22: the line below an option/],
    [
      '## S\n\n:::ask{id=a}\nWhy?\n- [ ] So `dropped = 0`\n  No.\n- [ ] Or `dropped = 1`\n  No.\n:::\n',
      /:20: a question has one right option “- \[x\]”, this has 0/,
    ],
  ])('%j', (body, message) => {
    expect(mistakesOf(body)).toMatch(message);
  });

  it('in the head, too, where a key is not known or missing', () => {
    const wrong = FRONT_MATTER.replace('question: Why?', 'questoin: Why?');
    const told = mistakesOf('## S\n\nText.\n', wrong);
    expect(told).toMatch(/lesson\.md:3: questoin: /);
    expect(told).toMatch(/question: Invalid key: Expected "question"/);
    expect(mistakesOf('## S\n', FRONT_MATTER.replace('title: A', 'title: [A'))).toMatch(
      /lesson\.md:\d+: /,
    );
  });

  describe('what looks back at a question', () => {
    const before = (option: string) =>
      `## A\n\n:::ask{id=a}\nWhy?\n- [x] So \`${option}\`\n  Yes.\n- [ ] Or \`throughput > 3 Gbit/s\`\n  No.\n:::\n`;
    const compare = (given: string) =>
      `\n## B\n\n::compare{entry=e item=i tolerance="10 %" ${given}}\n`;
    it.each([
      ['throughput < 1 Gbit/s', 'measure=throughput ask=a', 'none'],
      [
        'throughput < 1 Gbit/s',
        'measure=throughput ask=b',
        'lessons/x/lesson.md:30: no step before this one asks “b”; asked before: a',
      ],
      [
        'throughput < 1 Gbit/s',
        'measure=packets ask=a',
        'lessons/x/lesson.md:30: “throughput < 1 Gbit/s” of “a” bounds no “packets”',
      ],
      [
        'throughput != 1 Gbit/s',
        'measure=throughput ask=a',
        'lessons/x/lesson.md:30: “throughput != 1 Gbit/s” of “a” bounds no “throughput”',
      ],
    ])('%s, then %s', (option, given, message) => {
      expect(mistakesOf(before(option) + compare(given))).toContain(message);
    });

    it('finds it in a step before its own, and of the same run', () => {
      const body = compare('measure=throughput ask=a') + before('throughput < 1 Gbit/s');
      expect(mistakesOf(body)).toContain(
        ':21: no step before this one asks “a”; asked before: none',
      );
      const other = `${before('throughput < 1 Gbit/s')}\n## B\n\n::show{run=other}\n::compare{entry=e item=i tolerance="1 %" measure=throughput ask=a}\n`;
      expect(mistakesOf(other)).toContain(
        ':31: “a” was asked of the run “small”: name the run, “throughput@other”',
      );
    });
  });

  it('all of them at once', () => {
    expect(mistakesOf('## S\n\n::a\n\n::b\n').split('\n').length).toBe(2);
  });
});
