/**
 * What is saved is WebVTT, by a parser that forgives nothing: header, blocks, times that never overlap, and
 * text that reads back as it was said.
 */
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { engineOnDisk, runOf, scenarioOnDisk } from '../core/on-disk.ts';
import { filmLength } from '../session/told.ts';
import { say } from '../words/say.ts';
import { linesOf } from './caption.ts';
import { shownCaptions, vttOf, type Cue } from './vtt.ts';

const TIMES = /^(\d{2,}):([0-5]\d):([0-5]\d)\.(\d{3}) --> (\d{2,}):([0-5]\d):([0-5]\d)\.(\d{3})$/;

/** The cues of a file. Throws at the first thing that the specification does not allow. */
function parse(file: string): Cue[] {
  if (!file.endsWith('\n') || file.includes('\r')) throw new Error('line ends');
  const [header = '', ...blocks] = file.slice(0, -1).split(/\n{2,}/);
  if (!/^WEBVTT( [^\n]*)?$/.test(header) || header.includes('-->')) throw new Error(header);
  return blocks.map((block) => {
    const [times = '', ...lines] = block.split('\n');
    const found = TIMES.exec(times);
    if (found === null || lines.length === 0) throw new Error(block);
    const [h, m, s, ms, h2, m2, s2, ms2] = found.slice(1).map(Number) as [
      ...[number, number, number, number],
      ...[number, number, number, number],
    ];
    return {
      from: h * 3600 + m * 60 + s + ms / 1000,
      to: h2 * 3600 + m2 * 60 + s2 + ms2 / 1000,
      lines: lines.map(plain),
    };
  });
}

function plain(line: string): string {
  if (/[<>]|-->|&(?!amp;|lt;|gt;)/.test(line) || line.trim() === '') throw new Error(line);
  return line.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

test('a cue has its times, its lines, and no markup', () => {
  const cues = [{ from: 0.25, to: 3661.5, lines: ['a < b & c --> d', 'why <i>not</i>'] }];
  expect(vttOf('UDP -->', cues)).toBe(
    'WEBVTT UDP --&gt;\n\n00:00:00.250 --> 01:01:01.500\n' +
      'a &lt; b &amp; c --&gt; d\nwhy &lt;i&gt;not&lt;/i&gt;\n',
  );
  expect(parse(vttOf('UDP -->', cues))).toEqual(cues);
});

test('a run that says nothing is a file without cues', () => {
  expect(parse(vttOf('', []))).toEqual([]);
  expect(parse(vttOf('x', [{ from: 1, to: 1.0001, lines: ['too short'] }]))).toEqual([]);
  expect(parse(vttOf('x', [{ from: 1, to: 2, lines: ['', '\n \n'] }]))).toEqual([]);
});

test('whatever is said, whenever it is said, is a file that reads back', () => {
  const captions = fc.array(
    fc.record({
      stays: fc.double({ min: 0, max: 3, noNaN: true }),
      text: fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
    }),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(captions, (given) => {
      let at = 0;
      const film = Float64Array.from(given, ({ stays }) => (at += stays));
      const beat = Uint32Array.from(given, (_, place) => place);
      const shown = shownCaptions({ film, beat }, at + 1);
      const file = vttOf(
        'any',
        shown.map(({ beat, from, to }) => ({ from, to, lines: [given[beat]?.text ?? ''] })),
      );
      const cues = parse(file);
      cues.forEach(({ from, to }, place) => {
        expect(from).toBeLessThan(to);
        expect(from).toBeGreaterThanOrEqual(cues[place - 1]?.to ?? 0);
      });
    }),
  );
});

test('the page saves what the command line writes', async () => {
  const engine = engineOnDisk();
  const opened = runOf(await engine.simulate(scenarioOnDisk('go-fragments'), () => undefined));
  const told = await engine.told(undefined);
  const context = { glossary: await engine.glossary(), opened };
  const said = await engine.said(undefined, 0, told.beats.film.length);
  const cues = shownCaptions(told.captions, filmLength(told.pieces)).map(({ beat, from, to }) => {
    const { what, why } = linesOf(said[beat]!, 'plain', (saying) => say(saying, context));
    return { from, to, lines: [what, why] };
  });
  const golden = join(import.meta.dirname, '../../wasm-core/tests/captions/go-fragments.vtt');
  expect(spaced(vttOf('go-fragments', cues))).toBe(readFileSync(golden, 'utf8'));
});

/** The page keeps a number and its unit on one line with a blank that does not break. */
function spaced(text: string): string {
  return text.replaceAll(/[\u00a0\u202f]/g, ' ');
}
