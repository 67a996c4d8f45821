/** Notes: pinned to a moment by key, seen on stage and time line, carried by the link, harmless from strangers. */
import { expect, test } from './test.ts';

test('a note is pinned, travels in the link, is changed, deleted, and brought back', async ({
  app,
  page,
}) => {
  await app.open('#v=1&trace=udp-fragments&at=stage&t=194300000&packet=5');
  await page.keyboard.press('i');
  const field = app.dialog('Notes').getByRole('textbox', { name: /^Note at 194/ });
  await expect(field).toBeFocused();
  expect(await app.accessibilityProblems()).toEqual([]);
  await field.fill('Two fragments <b>wait</b> here');
  await field.press('Enter');
  const note = page.getByRole('complementary', { name: 'Note' });
  await expect(note).toContainText('Packet 5: Two fragments <b>wait</b> here');
  await expect(app.flag(/^Two fragments/)).toBeVisible();
  await expect(page).toHaveURL(/notes=/);
  expect(await app.accessibilityProblems()).toEqual([]);

  const link = page.url();
  await page.goto('about:blank');
  await page.goto(link);
  await app.idle();
  await expect(note).toContainText('Two fragments <b>wait</b> here');

  await page.keyboard.press('i');
  await app
    .dialog('Notes')
    .getByRole('button', { name: /^Delete/ })
    .click();
  await page.keyboard.press('Escape');
  await expect(note).toHaveCount(0);
  await page.keyboard.press('u');
  await expect(note).toBeVisible();
});

test('a hostile note is left out and told, the rest of the link stands', async ({ app, page }) => {
  const notes = encodeURIComponent(JSON.stringify([[194300000, 'a\u202Eb']]));
  await app.open(`#v=1&trace=udp-fragments&at=stage&t=194300000&notes=${notes}`);
  await expect(app.notice()).toContainText('list of notes');
  await expect(app.moment()).toHaveText(/^194\.300/);
  await expect(page.getByRole('complementary', { name: 'Note' })).toHaveCount(0);
});
