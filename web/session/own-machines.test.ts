/** Machines of one's own: taken, replaced, refused, forgotten, and kept from one visit to the next. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { OwnMachines, nameIn } from './own-machines.svelte.ts';

const file = (name: string, kib = 1) => JSON.stringify({ name, cache: { kib } });
const takes = () => Promise.resolve();
const refuses = () => Promise.reject(new Error('data/machines/a.json: unknown field `cold`'));

beforeEach(() => {
  const store = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, text: string) => store.set(key, text),
  });
});

describe('machines of one’s own', () => {
  it('are there again at the next visit', async () => {
    const machines = new OwnMachines();
    expect(await machines.add(file('a'), takes)).toBe(true);
    expect(await machines.add(file('b'), takes)).toBe(true);
    expect(new OwnMachines().all.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('take the place of that of their name, and can be forgotten', async () => {
    const machines = new OwnMachines();
    await machines.add(file('a', 1), takes);
    await machines.add(file('a', 2), takes);
    expect(machines.texts).toEqual([file('a', 2)]);
    await machines.remove('a', takes);
    expect(new OwnMachines().all).toEqual([]);
  });

  it('are taken where the browser keeps nothing, which is said', async () => {
    const refuse = () => {
      throw new Error('full');
    };
    vi.stubGlobal('localStorage', { getItem: () => null, setItem: refuse });
    const machines = new OwnMachines();
    expect(await machines.add(file('a'), takes)).toBe(true);
    expect(machines.all.map(({ name }) => name)).toEqual(['a']);
    expect(machines.problem).toContain('until the page is closed');
  });

  it('stay as they are where the core refuses one, which says why', async () => {
    const machines = new OwnMachines();
    await machines.add(file('a'), takes);
    expect(await machines.add(file('b'), refuses)).toBe(false);
    expect(machines.texts).toEqual([file('a')]);
    expect(machines.problem).toBe('data/machines/a.json: unknown field `cold`');
    await machines.add(file('c'), takes);
    expect(machines.problem).toBeUndefined();
  });

  it('are left out, with the reason, where a kept one is no machine any more', async () => {
    await new OwnMachines().add(file('a'), takes);
    const later = new OwnMachines();
    const asked: (readonly string[])[] = [];
    const ask = (texts: readonly string[]) => {
      asked.push(texts);
      return texts.length > 0 ? refuses() : Promise.resolve();
    };
    await later.first(ask);
    expect(asked).toEqual([[file('a')], []]);
    expect(later.all).toEqual([]);
    expect(later.problem).toContain('cold');
  });

  it('have the name that stands in the file', () => {
    expect(nameIn(file('a'))).toBe('a');
    expect(['', '[]', '{"name": 1}', 'null'].map(nameIn)).toEqual(['', '', '', '']);
  });
});
