/** The values beside a published number: the prediction, and those of each kind of run. */
import { expect, test } from 'vitest';
import { claimOf } from './format/claim.ts';
import { readFact } from './format/fact.ts';
import type { Compare } from './format/lesson.ts';
import { readLesson } from './format/read.ts';
import { askedOf, comparedOf, type Compared } from './figures.ts';

const lesson = readLesson(
  'lessons/x/lesson.md',
  `---
title: A lesson
question: Why?
runs:
  one: { scenario: one }
  two: { scenario: two }
  real: { recording: udp-small }
---

## Before

:::ask{id=speed lock}
How fast?
- [ ] Faster \`throughput@two / throughput@one > 1.2\`
  No.
- [ ] As fast \`0.9 <= throughput@two / throughput@one <= 1.2\`
  No.
- [x] Slower \`throughput@two / throughput@one < 0.9\`
  Yes.
:::

## After

::show{run=two}
::compare{entry=e item=SMP measure="throughput@two" tolerance="10 %" ask=speed}
::compare{entry=e item=SMP measure="throughput@real" tolerance="10 %"}
::compare{entry=e item=UNI measure="throughput@one" tolerance="10 %"}
`,
);
const compares: readonly Compare[] = lesson.steps[1]?.compares ?? [];
const values = {
  'two: throughput@one': 5e9,
  'two: throughput@two': 3.3e9,
  'two: throughput@real': 3.6e9,
  'n: two: throughput@one': 7000,
  'n: two: throughput@two': 5000,
  'n: two: throughput@real': 300,
  'published: e SMP': 3e9,
  'published: e UNI': 4e9,
};
/** With plain blanks in place of non-breaking spaces between numbers and units. */
function tableOf(answer: number | undefined): readonly Compared[] {
  const rows = comparedOf(compares, { lesson, shown: 'two', values, answerOf: () => answer });
  return JSON.parse(JSON.stringify(rows).replaceAll(/\s/g, ' ')) as readonly Compared[];
}

test('a row has what was published, predicted, recorded and simulated, whichever of them there is', () => {
  expect(tableOf(2)).toEqual([
    {
      ...{ id: 'e SMP', item: 'SMP', published: '3.00 Gbit/s' },
      predicted: 'under 4.50 Gbit/s',
      recorded: { text: '3.60 Gbit/s', share: '120 %', count: '300' },
      simulated: { text: '3.30 Gbit/s', share: '110 %', count: '5,000' },
    },
    {
      ...{ id: 'e UNI', item: 'UNI', published: '4.00 Gbit/s', predicted: undefined },
      ...{
        recorded: undefined,
        simulated: { text: '5.00 Gbit/s', share: '125 %', count: '7,000' },
      },
    },
  ]);
});

test.each([
  [0, 'over 6.00 Gbit/s'],
  [1, '4.50 Gbit/s to 6.00 Gbit/s'],
  [2, 'under 4.50 Gbit/s'],
  [-1, undefined],
  [undefined, undefined],
])('answer %s puts the published number %s', (answer, predicted) => {
  expect(tableOf(answer)[0]?.predicted).toBe(predicted);
});

test('a question that several comparisons look back at is one', () => {
  expect(askedOf(compares, lesson).map(({ id }) => id)).toEqual(['speed']);
  expect(askedOf(compares.slice(1), lesson)).toEqual([]);
});

test.each([
  ['dropped = 0', 'dropped 0..0'],
  ['3 < packets <= 9', 'packets 3..9'],
  ['throughput@two / throughput@one > 1.2', 'throughput@two per throughput@one 1.2..Infinity'],
  ['throughput@two > throughput@one', undefined],
  ['packets != 3', undefined],
])('what “%s” claims', (text, bounds) => {
  const claim = claimOf(readFact(text));
  const unit = claim?.per === undefined ? '' : ` per ${claim.per}`;
  expect(claim && `${claim.of}${unit} ${claim.from}..${claim.to}`).toBe(bounds);
});
