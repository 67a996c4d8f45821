/** What a viewer hands in, as inputs for the core. */
import { expect, test } from 'vitest';
import { fromFiles, fromText, linkIn } from './own-files.ts';

test('files that come together are one run, named after both', () => {
  const own = fromFiles([new File(['a'], 'trace.txt'), new File(['b'], 'link.pcap')]);
  expect(own?.inputs.map(({ name }) => name)).toEqual(['trace.txt', 'link.pcap']);
  expect(own?.source).toEqual({ kind: 'own', title: 'trace.txt + link.pcap' });
});

test('a name that turns the writing around is shown with a dot for that', () => {
  const own = fromFiles([new File(['a'], 'a\u202etxt.exe')]);
  expect(own?.source.title).toBe('a·txt.exe');
  expect(own?.inputs.map(({ name }) => name)).toEqual(['a\u202etxt.exe']);
});

test('pasted text is an input like a file', async () => {
  const own = fromText('278 id 6 seq 31\n');
  expect(await own?.inputs[0]?.data.text()).toBe('278 id 6 seq 31\n');
});

test.each([
  ['#v=1&at=lab', '#v=1&at=lab'],
  [' https://example.org/ringside/#v=1&trace=loopback&at=stage\n', '#v=1&trace=loopback&at=stage'],
  ['https://example.org/#other', undefined],
  ['# tracer: nop #v=1&at=lab', undefined],
  ['javascript:alert(1)#v=x&', undefined],
])('a link to Ringside is followed here: %s', (text, link) => {
  expect(linkIn(text)).toBe(link);
});

test('nothing is nothing', () => {
  expect(fromFiles([])).toBeUndefined();
  expect(fromText(' \n')).toBeUndefined();
});
