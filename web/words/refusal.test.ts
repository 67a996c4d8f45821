/** Why a file cannot be opened is said in the language of the page, and in English as the core says it. */
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { engineOnDisk } from '../core/on-disk.ts';
import { overwriteGetLocale } from './generated/runtime.js';
import { say } from './say.ts';
import { troubleOf } from './trouble.ts';

const engine = engineOnDisk();

afterEach(() => overwriteGetLocale(() => 'en'));

/** What the core says of files that it cannot open. */
async function refusal(...files: readonly (readonly [string, BlobPart])[]): Promise<string> {
  const inputs = files.map(([name, part]) => ({ name, data: new Blob([part]) }));
  const outcome = await engine.open(inputs, () => undefined);
  return outcome.kind === 'failed' ? outcome.message : outcome.kind;
}

const LINE =
  '          <idle>-0     [001] ..s1.   100.000001: netif_receive_skb: dev=eth0 skbaddr=1 len=92\n';
const GERMAN = /; angenommen wird Text von ftrace .*unverpackt, \.gz oder \.zst$/s;

test.each([
  ['', /^a: b: die Datei ist leer; /],
  ['\x7fELF', /^a: b: gefunden wurde ein ELF-Programm; /],
  ['%PDF-1.4', /gefunden wurde ein PDF; /],
  [
    'hello world\n',
    /gefunden wurde Text ohne eine Zeile eines Trace, der Anfang ist „hello world“; /,
  ],
  ['{"a":1}', /gefunden wurde JSON, der Anfang ist „\{"a":1\}“; /],
  [
    'dropwatch> start\n',
    /gefunden wurde die Ausgabe von dropwatch, .* auf, der Anfang ist „dropwatch> start“; /,
  ],
  ['\x1f\x8b\x08\x00 no gzip', /: das gzip lässt sich nicht auspacken: /],
] as const)('a file that begins with %j is refused in German', async (text, expected) => {
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const message = await refusal(['a: b', bytes]);
  expect(troubleOf(message)).toBe(message.replaceAll("'", '’'));
  overwriteGetLocale(() => 'de');
  const said = troubleOf(message);
  expect(said).toMatch(expected);
  expect(said).toMatch(GERMAN);
});

test('two traces, and no file at all, are refused in German', async () => {
  const two = await refusal(['one', LINE], ['two', LINE]);
  const none = await refusal();
  expect([troubleOf(two), troubleOf(none)]).toEqual([two, none]);
  overwriteGetLocale(() => 'de');
  expect(troubleOf(two)).toMatch(/^one und two sind beide Traces; öffne einen Trace, /);
  expect(troubleOf(none)).toBe('es gibt keine Datei');
});

test('the options that left out what a line needs are said in German, too', () => {
  const found =
    "text without a line of a trace (printed with ftrace's option raw, hex or bin: turn it off and print the trace again)";
  const accepted =
    '; accepted is ftrace text (trace, trace_pipe), `trace-cmd report`, `perf script`, kperf lines, pcap and pcapng; each plain, .gz or .zst';
  overwriteGetLocale(() => 'de');
  expect(troubleOf(`t: found ${found}, beginning with "x"${accepted}`)).toMatch(
    /^t: gefunden wurde Text ohne eine Zeile eines Trace \(mit der Option raw, hex oder bin von ftrace gedruckt/,
  );
  expect(troubleOf('t: the file cannot be read')).toBe('t: die Datei lässt sich nicht lesen');
  expect(
    troubleOf(`t: 7 bytes of gzip unpack to more than 9, which no trace does${accepted}`),
  ).toMatch(/^t: 7 Bytes gzip werden ausgepackt zu mehr als 9, was kein Trace wird; /);
});

test('a file that was left out beside a trace is told in German, too', async () => {
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

test('each kind of file that has a message is one that the core names, and the other way round', () => {
  const folder = new URL('../../wasm-core/core/src/import/', import.meta.url);
  const sources = ['magic.rs', 'foreign.rs', 'refuse.rs', 'mod.rs']
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
    .join('\n')
    .replace(/\\\n\s*/g, '')
    .replaceAll('\\\\', '\\');
  const messages = JSON.parse(
    readFileSync(new URL('messages/en.json', import.meta.url), 'utf8'),
  ) as Readonly<Record<string, string>>;
  const kinds = Object.entries(messages).flatMap(([key, text]) =>
    key.startsWith('refused_kind_') ? [text.replaceAll('’', "'")] : [],
  );
  expect(kinds.length).toBeGreaterThan(50);
  expect(kinds.filter((kind) => !sources.includes(kind))).toEqual([]);
  const advice = [
    ...sources.matchAll(/"((?:an?|the|text|what|zeros|trace\.dat|perf\.data)[ ,][^"]{12,})"/g),
  ];
  const named = advice.map(([, text = '']) => text).filter((text) => !text.includes('{'));
  expect(named.filter((text) => !kinds.includes(text))).toEqual([]);
});
