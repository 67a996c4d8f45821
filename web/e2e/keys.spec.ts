/** The keyboard alone: opening, stepping, playing, the overlay; and what a screen reader is told. */
import { expect, test } from './test.ts';

test('a trace is opened and played with keys alone', async ({ app, page }) => {
  await app.open();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('main').locator(':focus')).toBeVisible();
  await app.recording('Loopback').focus();
  await page.keyboard.press('Enter');
  await expect(app.transport()).toBeVisible();

  const first = (await app.moment().textContent()) ?? '';
  await page.keyboard.press('Space');
  await expect(app.control('Pause')).toBeVisible();
  await expect(app.moment()).not.toHaveText(first);
  await page.keyboard.press('Space');
  await expect(app.control('Play')).toBeVisible();
  await expect(app.said()).toContainText('Paused at');
});

test('every step has its key, and backwards comes to where it was', async ({ app, page }) => {
  await app.open('#v=1&trace=loopback&at=stage&t=195000000');
  const start = '195.000';
  for (const [there, back] of [
    ['.', ','],
    ['ArrowRight', 'ArrowLeft'],
    ['Shift+ArrowRight', 'Shift+ArrowLeft'],
  ] as const) {
    await page.keyboard.press(there);
    await expect(app.moment()).not.toHaveText(new RegExp(start));
    const reached = (await app.moment().textContent()) ?? '';
    await page.keyboard.press(there);
    await expect(app.moment()).not.toHaveText(reached);
    await page.keyboard.press(back);
    await expect(app.moment()).toHaveText(reached);
    await page.keyboard.press('Home');
    await expect(app.moment()).toHaveText(/^0\.000/);
    await app.slider().press('ArrowRight');
    await page.keyboard.press('Escape');
  }
});

test('a click on the stage takes the keys from a slider, and arrows still step', async ({
  app,
  page,
}) => {
  await app.open('#v=1&trace=loopback&at=stage&t=195000000');
  const stage = page.getByRole('application');
  await app.slider().focus();
  await stage.click({ position: { x: 3, y: 3 } });
  await expect(stage).toBeFocused();
  await page.keyboard.press('ArrowRight');
  // Where nothing stands nothing is chosen, so that there is no next hop.
  await expect(app.said()).toHaveText('No hop after this.');
});

test('a step is read aloud as its answer and its caption, and the focus is silent meanwhile', async ({
  app,
  page,
}) => {
  await app.open('#v=1&trace=loopback&at=stage&t=195000000');
  const stage = page.getByRole('application');
  await stage.press('ArrowDown');
  await expect(app.spoken()).not.toContainText(/ at \d/);
  await page.keyboard.press('.');
  await expect(app.spoken()).toContainText(/\w+ at \d/);
  // It is of no packet, and none is named.
  await expect(app.spoken()).not.toContainText('packet ,');
  expect(await app.spoken().getByRole('paragraph').count()).toBeLessThanOrEqual(2);
});

test('? shows the keys, and Escape puts them away', async ({ app, page }) => {
  await app.open();
  await page.keyboard.press('?');
  const keys = app.dialog('Keys');
  await expect(keys).toContainText('Next hop of the selected packet');
  expect(await app.accessibilityProblems()).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(keys).toHaveCount(0);
});

test('a window that is put away and asked for again at once stays', async ({ app, page }) => {
  await app.open();
  await page.keyboard.press('?');
  await expect(app.dialog('Keys')).toBeVisible();
  // The browser tells the first one's end in a task of its own, which keys overtake on a busy machine.
  await page.evaluate(async () => {
    const first = document.querySelector('dialog');
    const isTold = new Promise((resolve) => first?.addEventListener('close', resolve));
    first?.dispatchEvent(new Event('cancel', { cancelable: true }));
    while (first?.isConnected === true) await Promise.resolve();
    window.dispatchEvent(new KeyboardEvent('keydown', { key: '?' }));
    await isTold;
  });
  await expect(app.dialog('Keys')).toBeVisible();
});

test('keys that are characters can be switched off', async ({ app, page }) => {
  await app.open();
  await page.keyboard.press('?');
  await app.dialog('Keys').getByRole('checkbox').uncheck();
  await page.keyboard.press('Escape');
  await page.keyboard.press('m');
  await page.keyboard.press('?');
  await expect(app.dialog('Keys')).toHaveCount(0);
  await expect(app.button('Theme: as the system')).toBeVisible();
});

for (const [width, colorScheme] of [
  [1280, 'light'],
  [1280, 'dark'],
  [400, 'light'],
] as const) {
  test(`an open trace has no accessibility violation, ${width} px, ${colorScheme}`, async ({
    app,
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await app.open('#v=1&trace=loopback&at=stage&t=195000000&panel=ledger');
    expect(await app.accessibilityProblems()).toEqual([]);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide).toBeLessThanOrEqual(width);
  });
}

test('who came to the stage alone by chance finds the way out in words', async ({ app, page }) => {
  await app.open('#v=1&trace=loopback&at=stage');
  await page.keyboard.press('z');
  const leave = page.getByRole('button', { name: 'All of the screen again' });
  await expect(leave).toHaveCSS('opacity', '1');
  await expect(leave).toHaveText(/All of the screen again/);
  await leave.click();
  await expect(app.transport()).toBeVisible();
});

test('a key is called as the place that it leads to', async ({ app, page }) => {
  await app.open('#v=1&trace=loopback&at=stage');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toContainText('Recordings');
  await expect(page.getByRole('dialog')).not.toContainText('Traces');
});
