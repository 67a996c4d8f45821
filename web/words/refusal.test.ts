/** Why files cannot be opened crosses from the core as a saying, and is said in the language of the page. */
import { afterEach, expect, test } from 'vitest';
import type { Outcome } from '../core/core.ts';
import { engineOnDisk } from '../core/on-disk.ts';
import type { Saying, SayingValue } from '../core/saying.ts';
import { overwriteGetLocale } from './generated/runtime.js';
import { say } from './say.ts';
import { troubleOf } from './trouble.ts';

const engine = engineOnDisk();

afterEach(() => overwriteGetLocale(() => 'en'));

/** What comes of files that cannot be opened, as it arrives from a worker. */
async function refused(
  ...files: readonly (readonly [string, BlobPart])[]
): Promise<Outcome<unknown>> {
  const inputs = files.map(([name, part]) => ({ name, data: new Blob([part]) }));
  return structuredClone(await engine.open(inputs, () => undefined));
}

const LINE =
  '          <idle>-0     [001] ..s1.   100.000001: netif_receive_skb: dev=eth0 skbaddr=1 len=92\n';
const ENGLISH = /; accepted is ftrace text .*each plain, \.gz or \.zst$/s;
const GERMAN = /; angenommen wird Text von ftrace .*unverpackt, \.gz oder \.zst$/s;

test.each([
  ['', /^a: b: the file is empty; /, /^a: b: die Datei ist leer; /],
  ['\x7fELF', /^a: b: found an ELF binary; /, /^a: b: gefunden wurde ein ELF-Programm; /],
  ['%PDF-1.4', /found a PDF; /, /gefunden wurde ein PDF; /],
  [
    'hello world\n',
    /found text without a line of a trace, beginning with "hello world"; /,
    /gefunden wurde Text ohne eine Zeile eines Trace, der Anfang ist „hello world“; /,
  ],
  [
    '{"a":1}',
    /found JSON, beginning with "\{"a":1\}"; /,
    /gefunden wurde JSON, der Anfang ist „\{"a":1\}“; /,
  ],
  [
    'dropwatch> start\n',
    /found the output of dropwatch, .* perf, beginning with "dropwatch> start"; /,
    /gefunden wurde die Ausgabe von dropwatch, .* auf, der Anfang ist „dropwatch> start“; /,
  ],
  [
    '16434 1 1795811169421431496 type: 2285\n',
    /without a line of a trace \(printed with ftrace’s option raw, hex or bin/,
    /ohne eine Zeile eines Trace \(mit der Option raw, hex oder bin von ftrace gedruckt/,
  ],
  [
    '\x1f\x8b\x08\x00 no gzip',
    /: the gzip cannot be unpacked: it has no right end at byte 12: the file was cut off, or /,
    /: das gzip lässt sich nicht auspacken: es hat bei Byte 12 kein richtiges Ende: /,
  ],
  [
    '\xd4\xc3\xb2\xa1\x02\0',
    /found what begins as a capture of the link/,
    /gefunden wurde der Anfang eines Mitschnitts der Leitung/,
  ],
] as const)('a file that begins with %j is refused in each language', async (text, en, de) => {
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const outcome = await refused(['a: b', bytes]);
  expect(troubleOf(outcome)).toMatch(en);
  expect(troubleOf(outcome)).toMatch(ENGLISH);
  overwriteGetLocale(() => 'de');
  expect(troubleOf(outcome)).toMatch(de);
  expect(troubleOf(outcome)).toMatch(GERMAN);
});

test('two traces, and no file at all, are refused in each language', async () => {
  const two = await refused(['one', LINE], ['two', LINE]);
  const none = await refused();
  expect(troubleOf(two)).toMatch(/^one and two are both traces; open one trace, /);
  expect(troubleOf(none)).toBe('there is no file');
  overwriteGetLocale(() => 'de');
  expect(troubleOf(two)).toMatch(/^one und two sind beide Traces; öffne einen Trace, /);
  expect(troubleOf(none)).toBe('es gibt keine Datei');
});

test('a refusal has its numbers as the page writes them', () => {
  const count = (value: number): SayingValue => ({ kind: 'count', value });
  const refusal: Saying = {
    code: 'refused.unpacks_to_more',
    values: { packing: { kind: 'name', value: 'gzip' }, packed: count(7), unpacked: count(9000) },
    isInferred: false,
  };
  expect(troubleOf({ message: refusal.code, refusal })).toBe(
    '7 bytes of gzip unpack to more than 9,000, which no trace does',
  );
});

test('a file that was left out beside a trace is told in each language', async () => {
  const inputs = [LINE, ''].map((text, at) => ({ name: `f${at}`, data: new Blob([text]) }));
  const outcome = await engine.open(inputs, () => undefined);
  if (outcome.kind !== 'ok') throw new Error('it has a trace');
  const opened = outcome.value;
  const glossary = await engine.glossary();
  const said = () => opened.ledger.warnings.map((saying) => say(saying, { glossary, opened }));
  expect(said()[0]).toMatch(/^f1 was left out: the file is empty; accepted is ftrace text /);
  overwriteGetLocale(() => 'de');
  expect(said()[0]).toMatch(/^f1 wurde weggelassen: die Datei ist leer; angenommen wird Text /);
});
