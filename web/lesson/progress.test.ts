/**
 * Progress is kept between visits, and no content of the store can break a lesson.
 */
import { describe, expect, it, vi } from 'vitest';
import { keep, kept } from '../storage/kept.ts';
import { keepProgress, NO_PROGRESS, readProgress, type Store } from './progress.ts';

function storeOf(text?: string): Store {
  let kept = text;
  return {
    kept: () => kept,
    keep: (_, value) => {
      kept = value;
    },
  };
}

describe('progress', () => {
  it('is read as it was kept, each lesson by itself', () => {
    const store = storeOf();
    keepProgress(store, 'a', { step: 3, answers: { speed: 2, why: -1 }, isDone: false });
    keepProgress(store, 'b', { step: 1, answers: {}, isDone: true });
    expect(readProgress(store, 'a')).toEqual({
      step: 3,
      answers: { speed: 2, why: -1 },
      isDone: false,
    });
    expect(readProgress(store, 'b').isDone).toBe(true);
    expect(readProgress(store, 'c')).toEqual(NO_PROGRESS);
  });

  it.each([
    'no JSON',
    '{}',
    '{"version":2,"lessons":{}}',
    '{"version":1,"lessons":{"a":{"step":-1,"answers":{},"isDone":false}}}',
    '{"version":1,"lessons":{"a":{"step":0,"answers":{"x":"y"},"isDone":false}}}',
  ])('begins anew where %s is stored', (text) => {
    expect(readProgress(storeOf(text), 'a')).toEqual(NO_PROGRESS);
  });

  it('is not kept by a store that refuses, and nothing breaks', () => {
    const refuse = () => {
      throw new Error('full');
    };
    vi.stubGlobal('localStorage', { getItem: () => null, setItem: refuse });
    expect(() => keepProgress({ keep, kept }, 'a', NO_PROGRESS)).not.toThrow();
    vi.unstubAllGlobals();
  });
});
