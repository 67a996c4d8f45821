/** The server has another page: a look finds it, and no later one forgets it. */
import { expect, test } from 'vitest';
import { NewerPage } from './newer-page.svelte.ts';

const OURS = '<script type="module" src="./index-a.js"></script>';
const NEWER = '<script type="module" src="./index-b.js"></script>';

/** A window whose server answers with these pages, one after the other; nothing for no answer. */
function serving(...pages: readonly (string | undefined)[]) {
  const left = [...pages];
  const events = new EventTarget();
  const window = {
    document: { querySelector: () => ({ getAttribute: () => './index-a.js' }) },
    location: { pathname: '/' },
    addEventListener: events.addEventListener.bind(events),
    fetch: () => {
      const page = left.shift();
      return page === undefined
        ? Promise.reject(new TypeError('no network'))
        : Promise.resolve(new Response(page));
    },
  };
  return new NewerPage(window as unknown as Window);
}

test('the page that is open is none, and without a network nothing is known', async () => {
  const page = serving(OURS, undefined, NEWER);
  await page.look();
  await page.look();
  expect(page.isThere).toBe(false);
  await page.look();
  expect(page.isThere).toBe(true);
});

test('what one look has found no later one takes back', async () => {
  const page = serving(NEWER, OURS, undefined);
  await page.look();
  await page.look();
  await page.look();
  expect(page.isThere).toBe(true);
});
