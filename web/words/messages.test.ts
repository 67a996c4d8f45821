/** Every message is there in each language, and is put together of the same values. */
import { expect, test } from 'vitest';
import de from './messages/de.json';
import en from './messages/en.json';

type Messages = Readonly<Record<string, unknown>>;

/** The values that a message, or one of its cases, puts in or is chosen by. */
function valuesOf(message: unknown): readonly string[] {
  const text = JSON.stringify(message);
  const names = [...text.matchAll(/\{(\w+)\}|"input (\w+)"/g)].map(
    ([, put, input]) => put ?? input,
  );
  return [...new Set(names.map(String))].sort();
}

test('a message of one language is one of the other, too', () => {
  expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort());
});

test('what the core says has the same values in each language', () => {
  const [german, english]: readonly Messages[] = [de, en];
  const said = Object.keys(en).filter((key) => key.startsWith('say_'));
  expect(said.length).toBeGreaterThan(300);
  const differ = said.filter(
    (key) => String(valuesOf(german![key])) !== String(valuesOf(english![key])),
  );
  expect(differ).toEqual([]);
});
