/** The Lab for somebody who has never seen it: what a choice means, what made no difference, the way back. */
import { expect, test } from './test.ts';

const pinned = (settings: object) => ({
  ...{ machine: 'piii-500-4way', kernel: '2.4.17', workload: 'netperf-stream', seed: 1 },
  settings: { cpus: 2, nics: 1, connections: 1, message_bytes: 4096, ...settings },
  ...{ duration_us: 20_000, warmup_us: 5000 },
});
const linkTo = (settings: object) =>
  `#v=1&at=lab&scenario=${encodeURIComponent(JSON.stringify(pinned(settings)))}`;

test('choices say which CPUs they mean, and what made no difference says why', async ({ app }) => {
  await app.open(linkTo({ process_affinity: true, irq_affinity: 'cpu0' }));
  const interrupts = app.field('Interrupts go to');
  await expect(interrupts.getByRole('option')).toHaveText([
    'as the machine has it (CPU 0, 1 in turn)',
    'each NIC’s own CPU (CPU 0)',
    'CPU 0',
    'CPU 1',
  ]);
  await interrupts.selectOption('CPU 1');
  const result = app.region('What comes of it');
  await expect(result).toContainText('moved with it from CPU 0 to CPU 1');
  await expect(result).toContainText('What differs no more than from seed to seed');
  await app.idle();
  const noise = result.getByRole('button', { name: 'noise' }).first();
  await noise.focus();
  await expect(app.tooltip()).toContainText(/by itself that wavers by ± .*99 %/);
  expect(await app.accessibilityProblems()).toEqual([]);
});

test('fewer CPUs take the interrupts along and say so', async ({ app, page }) => {
  await app.open(linkTo({ irq_affinity: 'cpu1' }));
  await app.field('CPUs').fill('1');
  await page.keyboard.press('Tab');
  await expect(app.form().getByRole('status')).toContainText(
    '“Interrupts go to” is CPU 0 now, because there is no CPU 1 any more',
  );
  const result = app.region('What comes of it');
  await expect(result).toContainText('because there is no CPU 1 any more');
  await expect(app.field('Interrupts go to').getByRole('option', { name: /CPU 1/ })).toHaveCount(0);
});

test('a CPU that is not there is told in the form’s words, and nothing stands there as if it had run', async ({
  app,
}) => {
  await app.open(linkTo({ irq_affinity: 'cpu3' }));
  const result = app.region('What comes of it');
  await expect(result).toContainText('There is no CPU 3 here, only CPU 0, 1.');
  await expect(result.getByRole('button')).toHaveCount(0);
  await expect(app.field('Interrupts go to')).toHaveAttribute('aria-invalid', 'true');
  await app.field('Interrupts go to').selectOption('CPU 1');
  await expect(result).toContainText('Throughput');
});

test('going back takes changes back one by one, forward makes them again, and a reload keeps them', async ({
  app,
  page,
}) => {
  await app.open(linkTo({}));
  const interrupts = app.field('Interrupts go to');
  await interrupts.selectOption('CPU 1');
  await app.field('Bound processes').selectOption('on (CPU 1)');
  await page.goBack();
  await expect(app.field('Bound processes')).toHaveValue('');
  await expect(interrupts).toHaveValue('cpu1');
  await page.goForward();
  await expect(app.field('Bound processes')).toHaveValue('true');
  await page.reload();
  await expect(app.field('Bound processes')).toHaveValue('true');
  await app.button('Take back the last change').click();
  await expect(app.field('Bound processes')).toHaveValue('');
  await app.button('Take back the last change').click();
  await expect(interrupts).toHaveValue('');
  await expect(app.button('Take back the last change')).toHaveCount(0);
  await page.goForward();
  await expect(interrupts).toHaveValue('cpu1');
});

test('on a phone a question leads to its answer, is marked after a reload, and goes back', async ({
  app,
  page,
}) => {
  await page.setViewportSize({ width: 400, height: 800 });
  await app.open('#v=1&at=lab');
  const question = page.getByRole('link', { name: /interrupt came to the CPU where/ });
  await question.click();
  const result = app.region('What comes of it');
  const heading = result.getByRole('heading').first();
  await expect(heading).toBeFocused();
  await expect(heading).toBeInViewport();
  await expect(result.locator('.verdict')).toContainText('Packets are faster');
  await expect(result.locator('.outcomes')).toBeInViewport();
  await app.idle();
  await page.reload();
  await expect(question).toHaveAttribute('aria-current', 'true');
  await page.goBack();
  await expect(question).not.toHaveAttribute('aria-current');
});

test('both runs play beside each other, with a sentence that says where to look', async ({
  app,
  page,
}) => {
  await app.open('#v=1&at=lab');
  await page.getByRole('link', { name: /interrupt came to the CPU where/ }).click();
  await app.button('Watch both').click();
  await expect(page.getByRole('application')).toHaveCount(2);
  await expect(page.getByText(/^Look where “hardirq” stands/)).toBeVisible();
  await expect(app.control(/^Pause/)).toBeVisible();
});

test('the header says of the Lab what is true of it, whatever run is open', async ({ app }) => {
  await app.open('#v=1&trace=udp-small&at=stage');
  await expect(app.banner()).toContainText('recorded');
  await app.place('Lab').click();
  await expect(app.heading('Lab')).toBeVisible();
  await expect(app.banner()).toContainText('simulated');
  await expect(app.banner()).not.toContainText('recorded');
});

test('that the link is copied is seen, also by who wants no motion', async ({
  app,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await app.open('#v=1&at=lab');
  await page.getByRole('link', { name: /interrupt came to the CPU where/ }).click();
  await app.button('Copy the link to this answer').click();
  await expect(app.seenSaid()).toBeVisible();
  await expect(app.seenSaid()).toHaveText('The link to this view is copied.');
});

test.describe('in German', () => {
  test.use({ locale: 'de-DE' });

  test('no select of the form cuts what is chosen in it', async ({ app, page }) => {
    await app.open(linkTo({ irq_affinity: 'spread', nics: 2, connections: 2 }));
    await page.getByText('Weitere Einstellungen').click();
    await expect(page.getByLabel('Anderer Host')).toBeVisible();
    const cut = await page.evaluate(() => {
      const pen = document.createElement('canvas').getContext('2d');
      // Beside its padding a select has room for its arrow.
      const ARROW = 20;
      return [...document.querySelectorAll('form select')].flatMap((element) => {
        if (!(element instanceof HTMLSelectElement) || pen === null) return [];
        const { fontFamily, fontSize, paddingLeft, paddingRight } = getComputedStyle(element);
        pen.font = `${fontSize} ${fontFamily}`;
        const room = element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
        const text = element.selectedOptions[0]?.text ?? '';
        return pen.measureText(text).width > room - ARROW ? [text] : [];
      });
    });
    expect(cut).toEqual([]);
  });
});
