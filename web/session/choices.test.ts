/** What a viewer set is kept when a command changes it, and what is broken in the store is told. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DEFAULT_CHOICES, keepChoices, keptChoices } from './choices.ts';
import type { Dispatcher, Watcher } from './dispatcher.ts';
import { keepSettings } from './kept-settings.ts';
import { Settings } from './settings.svelte.ts';

let store: Map<string, string>;

beforeEach(() => {
  store = new Map();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, text: string) => store.set(key, text),
  });
});

afterEach(() => vi.unstubAllGlobals());

test('nothing was kept: all is as it begins', () => {
  expect(keptChoices()).toEqual({ choices: DEFAULT_CHOICES, notices: [] });
});

test('what was kept is read again', () => {
  const choices = { ...DEFAULT_CHOICES, theme: 'dark', textSize: 1.75, isHall: true } as const;
  keepChoices(choices);
  expect(keptChoices()).toEqual({ choices, notices: [] });
});

test('a part that is broken is left out and named, the others stand', () => {
  const choices = { theme: 'dark', textSize: 99, captions: 'loud' };
  store.set('ringside.settings', JSON.stringify({ version: 1, choices }));
  expect(keptChoices()).toEqual({
    choices: { ...DEFAULT_CHOICES, theme: 'dark' },
    notices: [
      'A setting that this browser kept was left out: textSize cannot be 99.',
      'A setting that this browser kept was left out: captions cannot be "loud".',
    ],
  });
  // From then on what could be read is what is kept.
  expect(keptChoices()).toEqual({ choices: { ...DEFAULT_CHOICES, theme: 'dark' }, notices: [] });
});

test.each(['', '{', 'null', '{"version":2,"choices":{}}'])('%j is no settings', (text) => {
  store.set('ringside.settings', text);
  const { choices, notices } = keptChoices();
  expect(choices).toEqual(DEFAULT_CHOICES);
  expect(notices).toEqual(['The settings that this browser kept cannot be read. They begin anew.']);
  expect(keptChoices().notices).toEqual([]);
});

test('a command that changes a setting keeps it, any other one keeps nothing', () => {
  const settings = new Settings();
  let watcher: Watcher = () => undefined;
  const watch = (given: Watcher) => {
    watcher = given;
    return () => undefined;
  };
  keepSettings({ watch } as unknown as Dispatcher, settings);
  const done = { id: 'any', before: {}, after: undefined } as Parameters<Watcher>[0];
  watcher(done);
  expect(store.size).toBe(0);
  settings.choose({ textSize: 9 });
  watcher(done);
  expect(keptChoices().choices.textSize).toBe(2.5);
});
