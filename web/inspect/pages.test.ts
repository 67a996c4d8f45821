/** A long list in pages: what arrives is kept, and what does not come is told. */
import { expect, test } from 'vitest';
import { RunGone } from '../core/run.ts';
import { trapOf, TROUBLES } from '../core/trouble.ts';
import { troubleOf } from '../words/trouble.ts';
import { Pages } from './pages.svelte.ts';

/** A list of 300 rows whose next request fails with what is in `errors`, if there is anything. */
function list(errors: Error[]) {
  const asked: number[] = [];
  const pages = new Pages<number>(300, (from) => {
    asked.push(from);
    const error = errors.shift();
    return error === undefined ? Promise.resolve(from) : Promise.reject(error);
  });
  const need = async (from: number, to: number) => {
    pages.need(from, to);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { pages, asked, need };
}

test('pages in view are requested once and kept', async () => {
  const { pages, asked, need } = list([]);
  await need(100, 130);
  await need(0, 200);
  expect(asked).toEqual([0, 128]);
  expect(pages.find(130)).toEqual({ page: 128, at: 2 });
  expect(pages.failure).toBeUndefined();
});

test('a page that does not come says why, until one comes', async () => {
  const { pages, need } = list([trapOf(undefined)]);
  await need(0, 10);
  expect(pages.find(0)).toBeUndefined();
  expect(pages.failure).toBe(troubleOf(TROUBLES.memory));
  await need(0, 10);
  expect(pages.find(0)).toEqual({ page: 0, at: 0 });
  expect(pages.failure).toBeUndefined();
});

test('a run that left the stage is no failure of the list', async () => {
  const { pages, need } = list([new RunGone('closed', 'closed')]);
  await need(0, 10);
  expect(pages.failure).toBeUndefined();
});
