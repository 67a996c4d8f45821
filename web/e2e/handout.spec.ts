/** L12 of the lessons: a lesson on paper has each step with its picture, its words and its state. */
import { expect, test } from './test.ts';

test('a lesson is printed: key frames in the light theme, answers apart, nothing of the page', async ({
  app,
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await app.open('#v=1&at=lessons');
  await app.card(0).getByRole('button', { name: 'Handout to print' }).click();
  const paper = page.getByRole('article', { name: 'The way of one datagram' });
  await expect(paper).toHaveAttribute('aria-busy', 'false');
  await expect(app.alarm()).toHaveCount(0);
  await expect(paper.getByRole('img')).toHaveCount(11);
  await expect(paper.getByRole('figure')).toHaveCount(11);
  await expect(paper.getByText('UDP looks up the socket by its port.')).toBeVisible();
  expect(await app.accessibilityProblems('article')).toEqual([]);

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(app.banner()).toBeHidden();
  await expect(app.footer()).toBeHidden();
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  const pages = (await page.pdf()).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length;
  expect(pages).toBeGreaterThan(3);
});

test('paper has the bars and the table of a lesson, and answers no question beside it', async ({
  app,
  page,
}) => {
  await app.open('#v=1&at=lessons');
  await app.card(1).getByRole('button', { name: 'Handout to print' }).click();
  const paper = page.getByRole('article', { name: 'One connection, two processors' });
  await expect(paper).toHaveAttribute('aria-busy', 'false');
  const step = (title: string) =>
    paper.locator('section').filter({ has: page.getByRole('heading', { name: title }) });
  await expect(step('What it was')).toContainText(/One CPU\s*5\.52\sGbit\/s/);
  await expect(step('What it was')).not.toContainText('You made no guess');
  const table = step('Measured, too').getByRole('table');
  await expect(table).toContainText(/Two CPUs\s*3\.40\sGbit\/s\s*\d\.\d\d\sGbit\/s/);
  const asked = step('Predict: what does it wait for?');
  await expect(asked).toContainText(/\d\skB are copied to iperf-server \(1001\)\./);
  await expect(asked).not.toContainText('at a price of');
});
