/** Presenting: the stage alone, with a clicker's keys; a lesson's steps; and who has the keys after a click. */
import { expect, test } from './test.ts';

test('a clicker turns a lesson’s steps, and their text stays beside the stage alone', async ({
  app,
  page,
}) => {
  await app.open('#v=1&lesson=two-processors.1&at=stage');
  await expect(app.heading('One host, one connection, one CPU')).toBeVisible();
  await app.idle();
  await page.keyboard.press('z');
  await expect(app.control('Play')).toHaveCount(0);
  await page.keyboard.press('PageDown');
  await expect(app.heading('Now a second CPU')).toBeInViewport();
  await expect(page.getByRole('radio', { name: /Clearly faster/ })).toBeInViewport();
  // The open question: its answer first, then the next step.
  await page.keyboard.press('PageDown');
  await expect(page.getByText('The answer: Clearly slower')).toBeInViewport();
  await page.keyboard.press('PageDown');
  await expect(app.heading('What it was')).toBeInViewport();
  await page.keyboard.press('PageUp');
  await expect(app.heading('Now a second CPU')).toBeInViewport();
});

for (const key of ['.', 'b']) {
  test(`“${key}” blanks the stage alone, and any key brings it back`, async ({ app, page }) => {
    await app.open('#v=1&trace=udp-fragments&at=stage');
    await page.keyboard.press('z');
    const black = app.button('The screen is black. Any key brings it back.');
    await page.keyboard.press(key);
    await expect(black).toBeVisible();
    await page.keyboard.press('z');
    await expect(black).toHaveCount(0);
    await expect(app.button('All of the screen again')).toBeVisible();
  });
}

test('a lesson’s words beside the stage alone are read from the last row of a hall', async ({
  app,
  page,
}) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await app.open('#v=1&lesson=one-datagram.2&at=stage');
  await app.idle();
  await app.button('Present').click();
  await expect(app.control('Play')).toHaveCount(0);
  await expect(page.locator('html')).toHaveAttribute('data-hall');
  const strip = app.region('The way of one datagram');
  const sizeOf = (text: RegExp) =>
    strip.getByText(text).evaluate((one) => parseFloat(getComputedStyle(one).fontSize));
  expect(await sizeOf(/^The card puts each frame/)).toBeGreaterThanOrEqual(20);
  expect(await sizeOf(/^Where does it spend/)).toBeGreaterThanOrEqual(20);
  expect(await sizeOf(/^In IP, being put/)).toBeGreaterThanOrEqual(20);
  const width = async (part: typeof strip) => (await part.boundingBox())?.width ?? 0;
  expect(await width(page.locator('#stage-view'))).toBeGreaterThan(2 * (await width(strip)));
  // What the viewer has set is as before when all of the screen is back.
  await page.keyboard.press('z');
  await expect(page.locator('html')).not.toHaveAttribute('data-hall');
});

test('what a step’s words point at is presented, too: a form, bars, a table', async ({
  app,
  page,
}) => {
  await app.open('#v=1&lesson=one-datagram.9&at=stage');
  await app.idle();
  await page.keyboard.press('z');
  const step = app.region('The way of one datagram');
  await step.getByRole('radio', { name: '9000' }).check();
  await step.getByRole('button', { name: 'Run it' }).click();
  await expect(step.getByText('Goal met')).toBeVisible();
  await expect(step.getByRole('table')).toBeInViewport();
  await page.goto('#v=1&lesson=two-processors.3&at=stage&alone=1');
  await expect(app.region('One connection, two processors')).toContainText(/5\.52\sGbit\/s/);
  await page.goto('#v=1&lesson=two-processors.9&at=stage&alone=1');
  await expect(page.getByRole('table')).toContainText(/3\.40\sGbit\/s/);
});

test('a clicker comes to the end of a lesson, which says so', async ({ app, page }) => {
  await app.open('#v=1&lesson=one-datagram.11&at=stage');
  await app.idle();
  await page.keyboard.press('z');
  await expect(app.button('Finish')).toBeEnabled();
  await page.keyboard.press('PageDown');
  await expect(page.getByText('This is the end of the lesson.')).toBeInViewport();
  await expect(app.button('Finish')).toBeDisabled();
});

test('Escape leaves the stage alone first, whatever has the focus in it', async ({ app, page }) => {
  await app.open('#v=1&trace=udp-fragments&at=stage&packet=0');
  await page.keyboard.press('z');
  await page.getByRole('application').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await expect(app.transport()).toBeVisible();
  await expect(page).toHaveURL(/packet=0/);
});

test('after a click on a view or a level of captions Space plays and arrows step', async ({
  app,
  page,
}) => {
  await app.open('#v=1&trace=udp-fragments&at=stage&t=279000000&pace=true');
  const queues = page.getByRole('tab', { name: 'Queues' });
  await queues.click();
  await expect(page.getByRole('region', { name: 'Stage' })).toBeFocused();
  const before = (await app.moment().textContent()) ?? '';
  await page.keyboard.press('Shift+ArrowRight');
  await expect(app.moment()).not.toHaveText(before);
  await expect(queues).toHaveAttribute('aria-selected', 'true');
  await app.region('Caption').getByRole('radio').last().click();
  await page.keyboard.press('Space');
  await expect(app.control('Pause')).toBeVisible();
  await page.keyboard.press('Space');
  // Who comes there by the keyboard keeps the native keys.
  await queues.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(queues).toHaveAttribute('aria-selected', 'false');
});
