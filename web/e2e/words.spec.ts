/**
 * Every word of the page comes from `web/words/messages/`. The page is built once more with messages
 * in letters of no language, between ⟦ and ⟧; what is read on it outside of them was typed into a
 * component, unless it is data: see `DATA`.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { build, preview, type PreviewServer } from 'vite';
import { expect, test } from './test.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as object;

/** What no language changes: texts of recordings and scenarios, names of the kernel's, units. */
const DATA: readonly RegExp[] = [
  /^Ringside( [\d.]+)?$/,
  /^(English|Deutsch)$/,
  /^CPU \d+$/,
  // A number with its unit, a version, an address of the code.
  /^[\d.,\s]+(ns|µs|ms|s|B|kB|MB|GB|bit\/s|kbit\/s|Mbit\/s|Gbit\/s|%)?$/,
  /^Debian [\d.-]+-amd64$|^\d[\w.]+, PREEMPT\w*$/,
];

let server: PreviewServer;
let address: string;

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  test.setTimeout(180_000);
  const outDir = join(root, '.cache/pseudo-page');
  const configFile = join(root, 'vite.config.ts');
  await build({ configFile, mode: 'pseudo', logLevel: 'error', build: { outDir } });
  server = await preview({
    configFile,
    logLevel: 'error',
    build: { outDir },
    preview: { host: 'localhost', port: 0 },
  });
  address = server.resolvedUrls?.local[0] ?? '';
});

test.afterAll(() => server.close());

test('the shelf says nothing that is not a message', async ({ page }) => {
  await page.goto(address);
  await expect(page.locator('[data-idle]')).toBeVisible();
  expect(await strays(page, 'body', textsOfTheShelf())).toEqual([]);
});

/** Each text within the part, and each label that is read aloud, that is neither message nor data. */
async function strays(page: Page, part: string, texts: ReadonlySet<string>): Promise<string[]> {
  const found = await page.locator(part).evaluate((element) => {
    const said: string[] = [];
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const isCode = node.parentElement?.closest('script, style, code, kbd') !== null;
      if (!isCode) said.push(node.textContent ?? '');
    }
    for (const one of element.querySelectorAll('[aria-label], [title], [placeholder]')) {
      for (const name of ['aria-label', 'title', 'placeholder'])
        said.push(one.getAttribute(name) ?? '');
    }
    return said;
  });
  const rest = found
    .map((text) =>
      text
        .replaceAll(/⟦[^⟧]*⟧/g, '')
        .replace(/^[\s:·,]+/, '')
        .trim(),
    )
    .filter((text) => /\p{Letter}{2}/u.test(text))
    .filter((text) => !texts.has(text) && !DATA.some((data) => data.test(text)));
  return [...new Set(rest)];
}

/** What the recordings and scenarios say of themselves, in their own files. */
function textsOfTheShelf(): ReadonlySet<string> {
  const folders = readdirSync(join(root, 'traces'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'capture')
    .map(({ name }) => read(`traces/${name}/recording.json`));
  const scenarios = readdirSync(join(root, 'wasm-core/data/scenarios')).map((name) =>
    read(`wasm-core/data/scenarios/${name}`),
  );
  return new Set([...folders, ...scenarios].flatMap(textsIn));
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value, ...value.split(' (').slice(0, 1)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
