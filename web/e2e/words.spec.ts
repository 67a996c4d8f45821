/**
 * Every word of the page comes from `web/words/messages/`. The page is built once more with messages
 * in letters of no language, between ⟦ and ⟧; what is read on it outside of them was typed into a
 * component, unless it is data: see `DATA`.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { build, preview, type PreviewServer } from 'vite';
import {
  engineOnDisk,
  inputsOnDisk,
  recordingsOnDisk,
  runOf,
  scenariosOnDisk,
} from '../core/on-disk.ts';
import { readLessons } from '../lesson/testing.ts';
import { conditionsOf } from '../papers/conditions.ts';
import { groupOf } from '../scene/papers/beside.ts';
import { expect, test } from './test.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as object;

/** What no language changes: texts of recordings and scenarios, names of the kernel's, units. */
const DATA: readonly RegExp[] = [
  /^Ringside( [\d.]+)?$/,
  /^(English|Deutsch)$/,
  /^CPU \d+$/,
  // A number with its unit, a version, an address of the code.
  /^[+×\d.,\s]*(ns|µs|ms|s|B|kB|MB|GB|bit\/s|kbit\/s|Mbit\/s|Gbit\/s|%)?$/,
  // What is left of a line of the scoreboard: its unit.
  /^(?:us|µs)\/connection$/,
  // Who published a law, under which title and when.
  /^[A-Z].*, (?:19|20)\d\d$/,
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

/** Goes to a link; each has a query of its own, so that the page is loaded anew. */
async function open(page: Page, link: string, query = link): Promise<void> {
  await page.goto(`${address}?${encodeURIComponent(query)}${link}`);
  await expect(page.locator('[data-idle]')).toBeVisible();
}

test('the shelf says nothing that is not a message', async ({ page }) => {
  await open(page, '');
  expect(await strays(page, 'body', textsOfTheShelf())).toEqual([]);
});

/** A run with drops, so that findings, captions and an inspector with an end have something to say. */
const RUN = '#v=1&trace=socket-buffer-overflow&at=stage&packet=30&pace=true';

for (const view of ['way', 'queues', 'caches', 'scheduler', 'locks']) {
  test(`the stage says nothing that is not a message: ${view}`, async ({ page }) => {
    await open(page, `${RUN}&view=${view}`);
    expect(await strays(page, 'body', await textsOfTheStage())).toEqual([]);
  });
}

for (const tab of ['Packet', 'All packets', 'Layers', 'Events']) {
  test(`the inspector says nothing that is not a message: ${tab}`, async ({ page }) => {
    await open(page, `${RUN}&panel=inspect`, tab);
    // The tabs in their order; what is written on them is in no language.
    const place = ['Packet', 'All packets', 'Layers', 'Events'].indexOf(tab);
    await page.locator('.inspector').getByRole('tab').nth(place).click();
    await expect(page.locator('[data-idle]')).toBeVisible();
    expect(await strays(page, '.inspector', await textsBesideTheStage())).toEqual([]);
  });
}

test('nor do the measures of a range, the captions to read and the ledger', async ({ page }) => {
  const texts = await textsBesideTheStage();
  for (const what of ['panel=ledger&range=1000000-60000000', 'panel=captions']) {
    await open(page, `${RUN}&${what}`);
    expect(await strays(page, 'body', texts), what).toEqual([]);
  }
});

for (const place of ['lab', 'papers', 'laws', 'lessons']) {
  test(`nor does the place ${place}`, async ({ page }) => {
    await open(page, `#v=1&at=${place}`);
    const texts = new Set([
      ...textsOfTheLessons(),
      ...textsOfTheBoard(),
      ...(await textsOfTheCore()),
    ]);
    expect(await strays(page, 'main', texts, await namesInFigures())).toEqual([]);
  });
}

test('nor does a step of a lesson', async ({ page }) => {
  await open(page, '#v=1&at=stage&lesson=one-datagram.3');
  const texts = new Set([...textsOfTheLessons(), ...(await textsOfTheStage())]);
  expect(await strays(page, 'body', texts)).toEqual([]);
});

/**
 * Each text within the part, and each label that is read aloud, that is neither message nor data. Data may stand in
 * a longer text; those of `whole` are a text by themselves, cut where a drawing has no room.
 */
async function strays(
  page: Page,
  part: string,
  texts: ReadonlySet<string>,
  whole: ReadonlySet<string> = new Set(),
): Promise<string[]> {
  const found = await page.locator(part).evaluate((element) => {
    const said: string[] = [];
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const isCode = node.parentElement?.closest('script, style, code, kbd') !== null;
      // A term that is explained cuts a caption, which is read whole: a message may end where the term does.
      const caption = node.parentElement?.closest('.caption p');
      if (!isCode) said.push((caption ?? node).textContent ?? '');
    }
    for (const one of element.querySelectorAll('[aria-label], [title], [placeholder]')) {
      for (const name of ['aria-label', 'title', 'placeholder'])
        said.push(one.getAttribute(name) ?? '');
    }
    return said;
  });
  // A short one would be found in any word, and a number in the year of a citation.
  const isFound = (text: string) => text.length > 2 && /\p{Letter}/u.test(text);
  const data = [...texts].filter(isFound).sort((a, b) => b.length - a.length);
  const rest = found
    .map((text) => withoutMessages(text).trim())
    .filter((text) => !texts.has(text) && !whole.has(text) && !isCutOf(text, whole))
    .map((text) => withoutData(text, data))
    .filter((text) => /\p{Letter}{2}/u.test(text))
    .filter((text) => !DATA.some((pattern) => pattern.test(text)));
  return [...new Set(rest)];
}

/** Whether it is the beginning of a text for which a drawing had no room. */
function isCutOf(text: string, texts: ReadonlySet<string>): boolean {
  const begin = text.slice(0, -1);
  return text.endsWith('…') && begin.length > 8 && [...texts].some((one) => one.startsWith(begin));
}

/** Messages may stand in messages: from the inmost out. Where a term is explained a message is cut at its mark. */
function withoutMessages(text: string): string {
  const rest = text.replaceAll(/⟦[^⟦⟧]*⟧/g, '');
  return rest === text ? rest.replace(/^⟦[^⟦⟧]*$|^[^⟦⟧]*⟧$/, '') : withoutMessages(rest);
}

/** What is left where the data are taken out of a line that is made of them, as “place · conditions” is. */
function withoutData(text: string, data: readonly string[]): string {
  const rest = data.reduce(
    (left, known) => (left.includes(known) ? left.replaceAll(known, '') : left),
    text.replaceAll(/\s+/g, ' '),
  );
  return rest.replace(/^[\s:·,]+/, '').trim();
}

/** What the recordings and scenarios say of themselves, in their own files. */
function textsOfTheShelf(): ReadonlySet<string> {
  const recordings = recordingsOnDisk().map((slug) => read(`traces/${slug}/recording.json`));
  const scenarios = scenariosOnDisk().map((name) => read(`wasm-core/data/scenarios/${name}.json`));
  return new Set([...recordings, ...scenarios].flatMap(textsIn));
}

/** What the core's data say: machines, kernels, settings, published numbers, words of the kernel. */
async function textsOfTheCore(): Promise<ReadonlySet<string>> {
  const core = engineOnDisk();
  const all = await Promise.all([core.catalogue(), core.published(), core.glossary()]);
  return new Set(all.flatMap(textsIn));
}

/** What stands at the numbers of a study's figure: group and name in it, each a text of its own. */
async function namesInFigures(): Promise<ReadonlySet<string>> {
  const entries = (await engineOnDisk().published()).flatMap((study) => study.entries);
  const items = entries.flatMap((entry) => entry.items);
  return new Set(items.flatMap(({ item }) => Object.values(groupOf(item))));
}

/** What the trace of the run on the stage says itself: tasks, flows, lines, the fields of its events. */
async function textsOfTheRun(): Promise<ReadonlySet<string>> {
  const core = engineOnDisk();
  const opened = runOf(await core.open(inputsOnDisk('socket-buffer-overflow'), () => undefined));
  const { details } = await core.events(0, opened.events);
  const tasks = opened.tasks.map(({ comm, pid }) => `${comm}-${pid}`);
  return new Set([...textsIn(opened), ...details, ...tasks]);
}

/** What stands on the stage of a run beside messages. */
async function textsOfTheStage(): Promise<ReadonlySet<string>> {
  return new Set([...textsOfTheShelf(), ...(await textsOfTheCore())]);
}

/** And in the panels beside it. */
async function textsBesideTheStage(): Promise<ReadonlySet<string>> {
  return new Set([...(await textsOfTheStage()), ...(await textsOfTheRun())]);
}

/** The lessons' own texts, in the language in which they were written. */
function textsOfTheLessons(): ReadonlySet<string> {
  // A text that ends before a name in code ends with a space.
  return new Set(
    readLessons()
      .flatMap(textsIn)
      .map((text) => text.trim()),
  );
}

/** The scoreboard as the tests pin it, with the reason of each number that is missed. */
function textsOfTheBoard(): ReadonlySet<string> {
  const folder = 'wasm-core/tests/board';
  const studies = JSON.parse(
    readFileSync(join(root, 'wasm-core/data/papers/published.json'), 'utf8'),
  ) as unknown;
  const lines = readdirSync(join(root, folder)).flatMap((name) => {
    const text = readFileSync(join(root, folder, name), 'utf8');
    // A reason stands beneath its number, in as many lines as it needs.
    const reasons = text.match(/(?:^ {60}\S.*\n)+/gm) ?? [];
    return [
      ...reasons.map((reason) => reason.trim().replaceAll(/\s+/g, ' ')),
      ...text.split(/\n|\s{2,}/),
    ];
  });
  return new Set([...lines, ...textsIn(studies)].filter((line) => line.trim().length > 3));
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    const { first, rest = first } = conditionsOf(value);
    return [value, first, rest, ...value.split(' (').slice(0, 1)];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
