/** The main screen's room: how much of it the stage has, and that nothing is cut off anywhere. */
import { expect, test } from './test.ts';
import type { Visualizer } from './visualizer.ts';

const OPEN = '#v=1&trace=udp-fragments&at=stage&t=194300000';

async function shareOfWindow(app: Visualizer): Promise<number> {
  const box = await app.region('Stage').boundingBox();
  const page = app.page.viewportSize();
  if (box === null || page === null) throw new Error('no stage');
  return (box.width * box.height) / (page.width * page.height);
}

/** What reaches out of the window although nothing around it scrolls, by its words. */
function cutOff(app: Visualizer): Promise<readonly string[]> {
  return app.page.evaluate(() => {
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      element !== document.body &&
      (/auto|scroll/.test(
        getComputedStyle(element).overflow + getComputedStyle(element).overflowX,
      ) ||
        scrolls(element.parentElement));
    return [...document.querySelectorAll('button, a, input, select, time, p, h1, h2, label')]
      .filter((element) => element.closest('.visually-hidden, .skip') === null)
      .filter((element) => {
        const { right, bottom, left, top, width } = element.getBoundingClientRect();
        const isOut = right > innerWidth + 1 || bottom > innerHeight + 1 || left < -1 || top < -1;
        return width > 0 && isOut && !scrolls(element);
      })
      .map((element) => element.textContent.trim() || element.outerHTML.slice(0, 80));
  });
}

test('the stage has two thirds of a large window, and all of it with one key', async ({
  app,
  page,
}) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await app.open(OPEN);
  expect(await shareOfWindow(app)).toBeGreaterThan(0.65);
  await page.keyboard.press('z');
  await expect(app.transport()).toHaveCount(0);
  expect(await shareOfWindow(app)).toBeGreaterThan(0.95);
  await expect(app.said()).toBeVisible();
  await expect(page).toHaveURL(/alone=1/);
  expect(await app.accessibilityProblems()).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(app.transport()).toBeVisible();
});

// The second is the first at 150 % of the browser's zoom.
for (const [width, height] of [
  [1280, 720],
  [853, 480],
  [400, 800],
] as const) {
  test(`nothing is cut off at ${width} x ${height}`, async ({ app, page }) => {
    await page.setViewportSize({ width, height });
    await app.open(OPEN);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      width,
    );
    expect(await cutOff(app)).toEqual([]);
  });
}

for (const locale of ['en-US', 'de-DE'] as const) {
  test.describe(`on a phone, in ${locale}`, () => {
    test.use({ locale, viewport: { width: 400, height: 800 } });

    test('the title of the run is whole, and tabs fade where there are more', async ({
      app,
      page,
    }) => {
      await app.open('#v=1&trace=udp-fragments&at=stage');
      const title = app.banner().locator('a[aria-current]');
      await expect(title).toHaveText('UDP datagrams in six fragments');
      expect(await title.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
      const tabs = page.getByRole('tablist').first();
      const fades = () =>
        tabs.evaluate((row) =>
          ['--fade-before', '--fade-more'].map((end) =>
            getComputedStyle(row).getPropertyValue(end),
          ),
        );
      await expect.poll(fades).toEqual(['', '2.5rem']);
      await tabs.evaluate((row) => (row.scrollLeft = row.scrollWidth));
      await expect.poll(fades).toEqual(['2.5rem', '']);
    });

    test('the view that is chosen stands where nothing fades', async ({ app, page }) => {
      await app.open('#v=1&trace=tcp-loss&at=stage&view=queues');
      const views = page.getByRole('tablist').nth(1);
      const places = () =>
        views.evaluate((row) => {
          const chosen = row.querySelector('[aria-selected=true]');
          const [outer, inner] = [row, chosen ?? row].map((one) => one.getBoundingClientRect());
          const [before, more] = ['--fade-before', '--fade-more'].map((end) =>
            getComputedStyle(row).getPropertyValue(end) === '' ? 0 : 40,
          );
          return [
            (inner?.left ?? 0) - (outer?.left ?? 0) - (before ?? 0),
            (outer?.right ?? 0) - (inner?.right ?? 0) - (more ?? 0),
          ].map((room) => room >= 0);
        });
      await expect.poll(places).toEqual([true, true]);
    });
  });
}

test('what was said on the stage is not said again elsewhere', async ({ app }) => {
  await app.open();
  await app.openRecording('UDP datagrams in six fragments');
  await expect(app.said()).toHaveText('UDP datagrams in six fragments is open.');
  await app.place('Recordings').click();
  await app.idle();
  await expect(app.seenSaid()).toHaveCount(0);
  await app
    .banner()
    .getByRole('button', { name: /^Theme/ })
    .click();
  await expect(app.seenSaid()).toHaveText('The light theme.');
});

test('a low window is half the stage’s', async ({ app, page }) => {
  await page.setViewportSize({ width: 853, height: 480 });
  await app.open(OPEN);
  const surface = await page.locator('#stage-view').boundingBox();
  expect(surface?.height).toBeGreaterThanOrEqual(240);
  // The caption and the whole transport are there all the same.
  await expect(app.region('Caption')).toBeVisible();
  await expect(app.transport().getByText('Told', { exact: true })).toBeVisible();
});

test('text grows to 250 % without a loss, and the hall’s is larger', async ({ app, page }) => {
  await app.open(OPEN);
  const size = () => page.evaluate(() => parseFloat(getComputedStyle(document.body).fontSize));
  const natural = await size();
  await page.keyboard.press('h');
  await expect(page.locator('html')).toHaveAttribute('data-hall');
  expect(await size()).toBeGreaterThan(natural);
  await page.keyboard.press('h');
  for (let press = 0; press < 9; press += 1) await page.keyboard.press('>');
  expect((await size()) / natural).toBeCloseTo(2.5, 1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1280);
});

test.describe('in German', () => {
  test.use({ locale: 'de-DE', viewport: { width: 1280, height: 720 } });

  test('what stays English is marked so, on the shelf and above the stage', async ({
    app,
    page,
  }) => {
    await app.open();
    const title = app.recording('UDP datagrams in six fragments');
    await expect(title).toHaveAttribute('lang', 'en');
    await title.click();
    const place = page.getByRole('link', { name: 'UDP datagrams in six fragments' });
    await expect(place).toHaveAttribute('lang', 'en');
    await app.idle();
  });

  for (const [run, link] of [
    ['a recording', '#v=1&trace=udp-fragments&at=stage'],
    ['a lesson on a simulation', '#v=1&lesson=two-processors.1&at=stage'],
  ] as const) {
    test(`the header of ${run} is one row, and no place in it is cut`, async ({ app }) => {
      await app.open(link);
      const box = await app.banner().boundingBox();
      expect(box?.height).toBeLessThan(60);
      const cut = await app
        .banner()
        .locator('a:nth-child(-n + 4), button')
        .evaluateAll((all) =>
          all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent),
        );
      expect(cut).toEqual([]);
    });
  }
});

test('zoomed in to 640 by 400 px, picture, caption and transport are in the window together', async ({
  app,
  page,
}) => {
  await page.setViewportSize({ width: 640, height: 400 });
  await app.open('#v=1&trace=udp-fragments&at=stage&t=279119000&follow=1&packet=113');
  await app.transport().scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 1000);
  await expect(app.region('Caption')).toBeInViewport({ ratio: 1 });
  await expect(app.control('Play')).toBeInViewport({ ratio: 1 });
  await expect(app.stageRoom()).toBeInViewport({ ratio: 1 });
  // All of the drawing is in the stage's room: nothing of it has to be scrolled to.
  expect(await hidden(app)).toBeLessThanOrEqual(2);
});

test('in a lesson on a phone no row of the stage is cut off', async ({ app, page }) => {
  await page.setViewportSize({ width: 400, height: 800 });
  await app.open('#v=1&lesson=one-datagram.2&at=stage');
  expect(await hidden(app)).toBeLessThanOrEqual(2);
});

/** How many pixels of the stage's drawing are beyond its room. */
function hidden(app: Visualizer): Promise<number> {
  return app.stageRoom().evaluate((room) => room.scrollHeight - room.clientHeight);
}
