/** The palette: everything the page can do here, found by any part of its name, with the keyboard alone. */
import { expect, test } from './test.ts';

test('a command is found by a part of its name, with its keys, and done', async ({ app, page }) => {
  await app.open('#v=1&trace=loopback&at=stage&t=195000000');
  const palette = await app.openPalette();
  await page.keyboard.type('whole run');
  const found = palette.getByRole('option').first();
  await expect(found).toContainText('whole run');
  await expect(found).toContainText('0');
  expect(await app.accessibilityProblems()).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(palette).toHaveCount(0);
  await app.openPalette();
  await page.keyboard.type('scheduler');
  await page.keyboard.press('Enter');
  await expect(palette).toHaveCount(0);
  await expect(page.getByRole('tab', { name: 'Scheduler' })).toHaveAttribute(
    'aria-selected',
    'true',
  );
});

test('what is typed before the palette is there arrives in its field', async ({ app, page }) => {
  await app.open('#v=1&trace=loopback&at=stage&t=195000000');
  let letGo: (() => void) | undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(/Palette-.*\.js/, async (route) => {
    await held;
    await route.continue();
  });
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('schedx');
  await page.keyboard.press('Backspace');
  letGo?.();
  const palette = app.dialog('Find a command');
  await expect(palette.getByRole('combobox')).toHaveValue('sched');
  await expect(palette.getByRole('option').first()).toContainText(/scheduler/i);
  await page.keyboard.type('uler');
  await expect(palette.getByRole('combobox')).toHaveValue('scheduler');
});

test('what saves the run is found by the word for it in other programs', async ({ app, page }) => {
  await app.open('#v=1&trace=loopback&at=stage&t=195000000');
  const palette = await app.openPalette();
  await page.keyboard.type('export');
  await expect(palette.getByRole('option').first()).toContainText('Save the run as a file');
});

test('what is for an audience is found by what one calls it', async ({ app, page }) => {
  await app.open('#v=1&trace=loopback&at=stage&t=195000000');
  const palette = await app.openPalette();
  for (const word of ['projector', 'audience', 'beamer', 'present', 'clicker']) {
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(word);
    for (const name of [/second window/, /stage alone/, /Presentation size/])
      await expect(palette.getByRole('option', { name })).toHaveCount(1);
  }
});

test('only what means something here is offered', async ({ app, page }) => {
  await app.open();
  await app.button('Find a command').click();
  const palette = app.dialog('Find a command');
  await expect(palette.getByRole('option', { name: 'Copy a link to this view' })).toHaveCount(1);
  await expect(palette.getByRole('option', { name: 'Zoom in' })).toHaveCount(0);
  await page.keyboard.type('no such thing at all');
  await expect(palette.getByText('Nothing here is called so.')).toBeVisible();
});

test('it opens a run, shows a finding of it, and begins a lesson', async ({ app, page }) => {
  await app.open();
  await app.openPalette();
  await page.keyboard.type('udp datagrams in six fragments');
  await page.keyboard.press('Enter');
  await expect(app.transport()).toBeVisible();
  await app.idle();
  const palette = await app.openPalette();
  await page.keyboard.type('put together');
  await expect(palette.getByRole('option').first()).toContainText('put together');
  await page.keyboard.press('Enter');
  await expect(app.control('Pause')).toBeVisible();
  await page.keyboard.press('Space');
  await app.openPalette();
  await page.keyboard.type('two processors');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/lesson=two-processors\.1/);
});
