/**
 * Conditions are split after a sentence, and no part of them is lost.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { conditionsOf } from './conditions.ts';

const folder = new URL('../../wasm-core/data/papers/', import.meta.url);

/** The conditions of all published numbers. */
function published(): string[] {
  const texts = readdirSync(folder).flatMap((name) => {
    if (!name.endsWith('.json')) return [];
    return readFileSync(new URL(name, folder), 'utf8').match(/(?<="conditions": ")[^"]+/g) ?? [];
  });
  return texts.map((text) => text.replaceAll('\\"', '"'));
}

describe('the conditions of an entry', () => {
  it('are whole where they are short', () => {
    const text = 'Linux 2.4.4. Two CPUs, e.g. 2.5 GHz.';
    expect(conditionsOf(text)).toEqual({ first: text, rest: undefined });
  });

  it('are parted behind the first sentence, not within a number or a name', () => {
    const first = 'Linux 6.18.44 on 2 CPUs (v6.12 too. and so on)';
    const rest = `Nothing ran beside it. ${'It was measured again. '.repeat(20)}`;
    expect(conditionsOf(`${first}. ${rest}`)).toEqual({ first, rest });
  });

  it('lose nothing', () => {
    const texts = published();
    expect(texts.length).toBeGreaterThan(50);
    for (const text of texts) {
      const { first, rest } = conditionsOf(text);
      expect(rest === undefined ? first : `${first}. ${rest}`).toBe(text);
    }
  });
});
