/**
 * A lesson as a learner plays it: it waits for predictions, shows what was predicted, lets a
 * scenario be changed until the goal is met, keeps its place, and needs no mouse.
 */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from './test.ts';

const next = (page: Page) =>
  page.getByRole('button', { name: /^(Continue|Skip this step|Finish)$/ });
const heading = (page: Page, title: string) => page.getByRole('heading', { name: title });
const panel = (page: Page) => page.getByRole('region', { name: 'One connection, two processors' });

/** Goes to the place of the lessons and begins one, as a learner does. */
async function begin(page: Page): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Places' })
    .getByRole('link', { name: 'Lessons' })
    .click();
  await page.getByRole('link', { name: 'One connection, two processors' }).click();
  await expect(heading(page, 'One host, one connection, one CPU')).toBeFocused();
}

async function toStep(page: Page, step: number, title: string): Promise<void> {
  await page.goto(`#v=1&lesson=two-processors.${step}&at=stage`);
  await expect(heading(page, title)).toBeVisible();
  await expect(page.locator('[data-idle]')).toBeVisible();
}

test('the lesson is begun from its place, and holds until a prediction is made', async ({
  page,
}) => {
  await page.goto('./');
  await begin(page);
  await next(page).click();
  await expect(heading(page, 'Now a second CPU')).toBeFocused();
  await expect(next(page)).toBeDisabled();
  await page.getByRole('radio', { name: /Clearly faster/ }).check();
  await page.getByRole('button', { name: 'Answer' }).click();
  await expect(panel(page)).toContainText('Not so.');
  await expect(next(page)).toBeEnabled();
  await next(page).click();
  await expect(panel(page)).toContainText('Your guess: Clearly faster');
  await expect(panel(page)).toContainText(/4\.\d\d\sGbit\/s/);
});

test('what was said of the run before is gone when a lesson begins', async ({ app, page }) => {
  await app.open();
  await app.openRecording('UDP datagrams in six fragments');
  await expect(app.said()).toHaveText('UDP datagrams in six fragments is open.');
  await begin(page);
  await expect(app.said()).not.toContainText('UDP datagrams');
});

test('what is opened after a lesson has nothing of it: neither its view nor its rings', async ({
  app,
  page,
}) => {
  await toStep(page, 6, 'The caches, large');
  await expect(app.rings()).not.toHaveCount(0);
  await page
    .getByRole('navigation', { name: 'Places' })
    .getByRole('link', { name: 'Recordings' })
    .click();
  await app.openRecording('The socket buffer overflows');
  // The view of what its card promises, where the lesson had the caches.
  await expect(page.getByRole('tab', { name: 'Queues' })).toHaveAttribute('aria-selected', 'true');
  await expect(app.rings()).toHaveCount(0);
});

test('what would give the answer away waits for it: steps, scrubber and findings', async ({
  app,
  page,
}) => {
  await page.goto('#v=1&lesson=preempted-reader.2&at=stage');
  await expect(heading(page, 'The last data is there')).toBeVisible();
  await app.idle();
  await expect(app.rings()).toHaveCount(1);
  const moment = (await app.moment().textContent()) ?? '';
  await app.region('Stage').focus();
  for (const key of ['ArrowRight', '.', 'End', '2']) {
    await page.keyboard.press(key);
    await expect(app.said()).toContainText('That would give the answer away');
  }
  await app.slider().focus();
  await page.keyboard.press('End');
  await app.idle();
  await expect(app.moment()).toHaveText(moment);
  await expect(app.flag(/longest wait/i)).toHaveCount(0);
  await page.getByRole('button', { name: 'Show me' }).click();
  // The refusal was about a question that has its answer now.
  await expect(app.said()).toHaveText('');
  await app.region('Stage').focus();
  await page.keyboard.press('ArrowRight');
  await expect(app.moment()).not.toHaveText(moment);
  // Nor is what a later step asks.
  await app.idle();
  await expect(app.flag(/longest wait/i)).toHaveCount(0);
});

test('the caption does not explain what a question asks', async ({ app, page }) => {
  await toStep(page, 5, 'Predict: what does it wait for?');
  const caption = app.region('Caption');
  await expect(caption).toContainText(/\d\skB are copied to iperf-server \(1001\)\./);
  await expect(caption).not.toContainText('cache lines');
  await page.getByRole('button', { name: 'Show me' }).click();
  await expect(caption).toContainText(/\d{3}\scache lines come over from CPU 1/);
});

test('a link opens a step, still and unanswered, and another visit finds the answers', async ({
  page,
}) => {
  await toStep(page, 5, 'Predict: what does it wait for?');
  await page.getByRole('button', { name: 'Show me' }).click();
  await expect(panel(page)).toContainText('The answer: Fetching the bytes');
  await page.reload();
  await expect(panel(page)).toContainText('The answer: Fetching the bytes');
  await expect(next(page)).toBeEnabled();
});

test('a step that follows another packet tells of that one, as when it is followed by hand', async ({
  app,
  page,
}) => {
  const caption = page.getByRole('region', { name: 'Caption' });
  await page.goto('#v=1&lesson=one-datagram.2&at=stage');
  await expect(heading(page, 'Where is the time?')).toBeVisible();
  await expect(caption).toContainText('The NIC writes the frame into the ring');
  await page.goto('#v=1&lesson=preempted-reader.8&at=stage');
  await expect(heading(page, 'What helps')).toBeVisible();
  await expect(caption).toContainText('5.79 kB are copied to trecv');
  await app.idle();
});

test('a scenario is changed and run until the goal is met', async ({ page }) => {
  await toStep(page, 7, 'Make two CPUs fast');
  const run = page.getByRole('button', { name: 'Run it' });
  await run.click();
  await expect(panel(page)).toContainText('not yet');
  await page.getByRole('group', { name: 'Connections' }).getByRole('radio', { name: '2' }).check();
  await run.click();
  await expect(panel(page)).toContainText('Goal met');
  await expect(panel(page).getByRole('row')).toHaveCount(5);
  // Without scrolling.
  await expect(panel(page).getByRole('row').last()).toBeInViewport({ ratio: 0.5 });
});

test('a published number stands beside what was predicted and the lesson’s own', async ({
  page,
}) => {
  await toStep(page, 2, 'Now a second CPU');
  await page.getByRole('radio', { name: /About the same/ }).check();
  await page.getByRole('button', { name: 'Answer' }).click();
  await expect(panel(page)).toContainText('Not so.');
  // Steps later, and on another visit, it is still there.
  await page.reload();
  await toStep(page, 9, 'Measured, too');
  await expect(panel(page).getByRole('columnheader')).toHaveText([
    ...['Published', 'Your guess in numbers', 'Simulated here'],
  ]);
  const row = panel(page).getByRole('rowgroup').filter({ hasText: 'Two CPUs' });
  await expect(row).toContainText('3.40 Gbit/s');
  await expect(row).toContainText('4.97 Gbit/s to 6.62 Gbit/s');
  await expect(row).toContainText(/4\.\d\d\sGbit\/s/);
  await expect(panel(page)).toContainText('Your guess: About the same');
  await expect(panel(page)).toContainText('Figure 5');
  // All of it is seen, the last column and the last row too, with nothing to scroll.
  const cut = await panel(page)
    .locator('table')
    .evaluate(({ parentElement: box }) =>
      box ? [box.scrollWidth - box.clientWidth, box.scrollHeight - box.clientHeight] : [],
    );
  expect(cut).toEqual([0, 0]);
});

test('a step is played, answered and left with the keyboard alone', async ({ page }) => {
  await toStep(page, 2, 'Now a second CPU');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(panel(page)).toContainText('Right.');
  await next(page).press('Enter');
  await expect(heading(page, 'What it was')).toBeFocused();
});

test('a link to a step that is not there says so and opens the last', async ({ page }) => {
  await page.goto('#v=1&lesson=one-datagram.99&at=stage');
  await expect(
    page.getByText('The lesson has no step 99: this is its last, step 11.'),
  ).toBeVisible();
  await expect(page.getByText('Step 11 of 11')).toBeVisible();
});

test('the last question waits for its answer, which nothing on the stage gives', async ({
  page,
}) => {
  for (const link of ['one-datagram.10', 'preempted-reader.11']) {
    await page.goto('about:blank');
    await page.goto(`./#v=1&lesson=${link}&at=stage`);
    await expect(page.getByText('The lesson waits for your answer.')).toBeVisible();
    await expect(next(page)).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Finish' })).toHaveCount(0);
  }
});

test('a link to a lesson that is not there says so, in the place of lessons', async ({ page }) => {
  await page.goto('#v=1&lesson=the-moon.1&at=stage');
  await expect(page.getByText('There is no lesson “the-moon.1”.')).toBeVisible();
  await expect(heading(page, 'Lessons')).toBeVisible();
});

test('on a phone stage and text are both there, and nothing is inaccessible', async ({ page }) => {
  await page.setViewportSize({ width: 400, height: 800 });
  await toStep(page, 2, 'Now a second CPU');
  await expect(page.getByRole('region', { name: 'Stage' })).toBeVisible();
  const surface = await page.locator('#stage-view').boundingBox();
  // At least 45 % of the window is the stage's. The step opens at its heading; a scroll away the answers are in
  // view together with their button.
  expect(surface?.height).toBeGreaterThanOrEqual(0.45 * 800 - 1);
  await expect(heading(page, 'Now a second CPU')).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Answer' }).scrollIntoViewIfNeeded();
  for (const option of await panel(page).getByRole('radio').all()) {
    await expect(option).toBeInViewport();
  }
  await expect(page.getByRole('button', { name: 'Answer' })).toBeInViewport({ ratio: 1 });
  await page.getByRole('radio', { name: /Clearly slower/ }).check();
  await page.getByRole('button', { name: 'Answer' }).click();
  await expect(panel(page).getByText('Working apart costs more')).toBeInViewport();
  await expect(next(page)).toBeInViewport();
  const { violations } = await new AxeBuilder({ page }).include('.lesson').analyze();
  expect(violations.map(({ id, help }) => `${id}: ${help}`)).toEqual([]);
});

test('L4, L5: what a step tells of has a ring, the rest is dimmed, and the text stands beside it', async ({
  app,
  page,
}) => {
  await page.goto('#v=1&lesson=one-datagram.4&at=stage');
  await expect(heading(page, 'Rows are layers, columns are CPUs')).toBeVisible();
  await app.idle();
  await expect(app.rings()).not.toHaveCount(0);
  await expect(app.veil()).toBeVisible();
  const text = await page.getByRole('region', { name: 'The way of one datagram' }).boundingBox();
  const stage = await page.locator('#stage-view').boundingBox();
  if (text === null || stage === null) throw new Error('text and stage are both there');
  const gap = stage.x - (text.x + text.width);
  expect(gap).toBeGreaterThanOrEqual(0);
  expect(gap).toBeLessThan(24);
  const top = await app.topOf(heading(page, 'Rows are layers, columns are CPUs'));
  expect(top).toBeGreaterThan(stage.y - 60);
  expect(top).toBeLessThan(stage.y + stage.height);
  // Of a run that is on the stage alone nothing is dimmed.
  await page.getByRole('button', { name: 'Leave the lesson' }).click();
  await expect(app.veil()).toHaveCount(0);
});

test('what came of an answer, and that the lesson is over, is in sight', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.goto('#v=1&lesson=one-datagram.10&at=stage');
  await page.getByRole('radio', { name: /In the ring again/ }).check();
  await page.getByRole('button', { name: 'Answer' }).click();
  await expect(page.getByText('0.63 ms')).toBeInViewport();
  await next(page).click();
  await expect(heading(page, 'Watch the small one')).toBeVisible();
  await page.getByRole('button', { name: 'Finish' }).click();
  await expect(page.getByText('You have finished this lesson.')).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Finish' })).toHaveCount(0);
});

test('how far a run is made covers no heading', async ({ app, page }) => {
  await app.open('#v=1&at=lessons');
  const heading = page.getByRole('heading', { name: 'Lessons', level: 2 });
  const box = await heading.boundingBox();
  const top = await app.topOnceThere('Simulation');
  await page.getByRole('link', { name: 'One connection, two processors' }).click();
  expect(await top()).toBeGreaterThan(box!.y + box!.height);
  await expect(heading).toHaveCount(0);
});

test('a wrong answer has not the mark of a right one', async ({ page }) => {
  await page.goto('#v=1&lesson=one-datagram.1&at=stage');
  await page.getByRole('radio', { name: /UDP never splits/ }).check();
  await page.getByRole('button', { name: 'Answer' }).click();
  const barOf = (words: RegExp) =>
    page
      .getByRole('status')
      .getByRole('paragraph')
      .filter({ hasText: words })
      .evaluate((paragraph) => getComputedStyle(paragraph).borderLeftColor);
  expect(await barOf(/^Not so/)).not.toBe(await barOf(/^The answer/));
});
