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

  it('are left out one by one where the core takes them no more, with the reason, and stay stored', async () => {
    const before = new OwnMachines();
    for (const name of ['a', 'b', 'c']) await before.add(file(name), takes);
    const later = new OwnMachines();
    const ask = (texts: readonly string[]) =>
      texts.includes(file('b')) ? refuses() : Promise.resolve(texts.length);
    expect(await later.first(ask)).toBe(2);
    expect(later.all.map(({ name }) => name)).toEqual(['a', 'c']);
    expect(later.refused.map(({ name }) => name)).toEqual(['b']);
    expect(later.problem).toBe('b: data/machines/a.json: unknown field `cold`');
    await later.add(file('d'), takes);
    expect(new OwnMachines().all.map(({ name }) => name)).toEqual(['a', 'c', 'd', 'b']);
    await later.remove('b', takes);
    expect(new OwnMachines().all.map(({ name }) => name)).toEqual(['a', 'c', 'd']);
  });

  it('are both taken where two are added at once', async () => {
    const machines = new OwnMachines();
    const slowly = () => new Promise<void>((resolve) => setTimeout(resolve));
    await Promise.all([machines.add(file('a'), slowly), machines.add(file('b'), takes)]);
    expect(machines.all.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('have the name that stands in the file', () => {
    expect(nameIn(file('a'))).toBe('a');
    expect(['', '[]', '{"name": 1}', 'null'].map(nameIn)).toEqual(['', '', '', '']);
  });
});
