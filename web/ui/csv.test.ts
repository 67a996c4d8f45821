/** What is copied reads back, by a parser of its own, whatever stands in the cells; nothing of it is run. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvOf, MOST_ROWS, rowsInPieces } from './csv.ts';

/** RFC 4180 and nothing else: throws at what it does not allow. */
function parse(text: string): string[][] {
  const rows: string[][] = [[]];
  let at = 0;
  const sign = () => text.charAt(at);
  while (at < text.length) {
    let cell = '';
    if (sign() === '"') {
      at += 1;
      while (sign() !== '"' || text.startsWith('""', at)) {
        if (at >= text.length) throw new Error('a quote is not closed');
        if (sign() === '"') at += 1;
        cell += sign();
        at += 1;
      }
      at += 1;
    } else {
      while (at < text.length && !',\r'.includes(sign())) {
        if ('"\n'.includes(sign())) throw new Error(`“${sign()}” must be quoted`);
        cell += sign();
        at += 1;
      }
    }
    rows.at(-1)?.push(cell);
    if (sign() === ',') at += 1;
    else if (text.startsWith('\r\n', at)) {
      at += 2;
      if (at < text.length) rows.push([]);
    } else throw new Error(`not a line's end at ${at}`);
  }
  return rows;
}

test('a table has its names, its numbers as they are, and its texts quoted where they must be', async () => {
  const columns = ['packet', 'wait_ns', 'how'];
  const rows = [
    ['7 · 3/6', 430, 'a, "b"'],
    ['8', -1.5, undefined],
  ];
  expect(await csvOf({ columns, rows })).toBe(
    'packet,wait_ns,how\r\n7 · 3/6,430,"a, ""b"""\r\n8,-1.5,\r\n',
  );
});

test('what a spreadsheet would run is text', async () => {
  for (const formula of [
    '=1+1',
    '+SUM(A1)',
    '-2+3',
    '@x',
    '\t=1',
    '\r=1',
    '=HYPERLINK("x")',
    '=1\n2',
  ]) {
    const [, [cell]] = parse(await csvOf({ columns: ['name'], rows: [[formula]] })) as [
      string[],
      [string],
    ];
    expect(cell, formula).toBe(`'${formula}`);
  }
});

test('any table reads back', async () => {
  const texts = fc.array(fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 2 }), {
    minLength: 1,
    maxLength: 10,
  });
  await fc.assert(
    fc.asyncProperty(texts, async (rows) => {
      const [, ...read] = parse(await csvOf({ columns: ['a', 'b'], rows }));
      const harmless = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
      expect(read).toEqual(rows.map((row) => row.map(harmless)));
    }),
  );
});

test('a long list is asked for in pieces, each row once, and no more than are copied', async () => {
  const asked: number[] = [];
  const piece = (from: number, count: number) => {
    asked.push(count);
    return Promise.resolve(Array.from({ length: count }, (_, at) => [from + at]));
  };
  const rows = await rowsInPieces(5000, piece);
  expect(rows.map(([row]) => row)).toEqual(Array.from({ length: 5000 }, (_, row) => row));
  expect(asked).toEqual([2048, 2048, 904]);
  expect(await rowsInPieces(MOST_ROWS + 1, piece)).toHaveLength(MOST_ROWS);
});
