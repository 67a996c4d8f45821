/** The Lab: a scenario from the shelf, from the form and from a link; what is refused; the model's limits. */
import { expect, test } from './test.ts';

const broken = '{"machine":"moon","kernel":"6.1","workload":"iperf","duration_us":1000,"seed":1}';

test('a scenario of the shelf is run, played as simulated, and one click from the form', async ({
  app,
}) => {
  await app.open('#v=1&at=lab');
  const card = app.card(1);
  await expect(card).toContainText('simulated');
  const title = (await card.getByRole('link').textContent()) ?? '';
  await card.getByRole('link').click();
  await expect(app.transport()).toBeVisible();
  await app.idle();
  await expect(app.place(title)).toHaveAttribute('aria-current', 'page');
  await expect(app.banner()).toContainText('simulated');

  await app.button('Open in the Lab').click();
  await expect(app.card(1).getByRole('button', { name: 'In the form' })).toBeVisible();
  await expect(app.card(1)).toContainText('open now');
});

test('Enter takes a value and stays; what is in the form is run, and its link shows the same again', async ({
  app,
  page,
}) => {
  await app.open('#v=1&at=lab');
  await app.field('Duration, ms').fill('2');
  await app.field('Warm-up, ms').fill('');
  await app.field('Seed').fill('7');
  await page.keyboard.press('Enter');
  await expect(app.region('What comes of it')).toContainText('seeds 7 to 12');
  await expect(app.transport()).toHaveCount(0);
  await app.form().getByRole('button', { name: 'Run', exact: true }).click();
  await expect(app.transport()).toBeVisible();
  await app.slider().press('ArrowRight');
  await app.idle();
  const moment = (await app.moment().textContent()) ?? '';
  const link = new URL(page.url()).hash;
  expect(link).toMatch(/duration_us%22:2000,%22seed%22:7%7D/);

  await page.goto('about:blank');
  await app.open(link);
  await expect(app.moment()).toHaveText(moment);
  await expect(app.banner()).toContainText('simulated');
});

test('a question is answered in words, and its link answers it again', async ({ app, page }) => {
  await app.open('#v=1&at=lab');
  await page.getByRole('link', { name: /if the processes are pinned, too/ }).click();
  const result = app.region('What comes of it');
  await expect(result).toContainText('CPUs have less to do');
  await expect(result.getByRole('listitem').first()).toContainText('Interrupts go to');
  await expect(result).toContainText('Fetching lines from other CPUs’ caches');
  await app.idle();
  const said = await result.locator('.verdict').innerText();
  const link = new URL(page.url()).hash;
  expect(link).toContain('&before=');
  await page.goto('about:blank');
  await app.open(link);
  await expect(result.locator('.verdict')).toHaveText(said, { useInnerText: true });

  await result.getByRole('button', { name: 'Back to what it was' }).click();
  await expect(result).toContainText('Change something');
  await result.getByRole('button', { name: 'Take back the last change' }).click();
  await expect(result.locator('.verdict')).toHaveText(said, { useInnerText: true });
});

test('a handle is turned by keys: the card follows, and a figure leads to its packet', async ({
  app,
  page,
}) => {
  await app.open('#v=1&at=lab');
  const result = app.region('What comes of it');
  await expect(result).toContainText('Throughput');
  await app.field('Message, bytes').focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('128');
  await page.keyboard.press('Tab');
  await expect(result).toContainText('more packets are delivered');
  await expect(result).toContainText(/tcp_recvmsg costs a packet .* instead of/);
  await app.idle();
  await result.getByRole('heading').first().click();
  await page.keyboard.press('u');
  await expect(app.field('Message, bytes')).toHaveValue('4096');
  await app.field('Message, bytes').fill('128');
  await page.keyboard.press('Tab');
  await expect(result).toContainText('more packets are delivered');
  const row = result.getByRole('row', { name: /^Time on the way, median/ });
  await row.getByRole('link').last().focus();
  await page.keyboard.press('Enter');
  await expect(app.transport()).toBeVisible();
  await app.idle();
  await expect(page).toHaveURL(/packet=\d+/);
});

test('a number takes effect while it is typed, keeps its text, and is one step of undo', async ({
  app,
  page,
}) => {
  await app.open('#v=1&at=lab');
  const result = app.region('What comes of it');
  const message = app.field('Message, bytes');
  await message.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('128');
  await expect(result).toContainText('more packets are delivered');
  await expect(message).toBeFocused();
  // In the middle of the text, where the caret stays: what no digit can mend is told at once.
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('99999999');
  await expect(message).toHaveAttribute('aria-invalid', 'true');
  await expect(message).toHaveValue('12999999998');
  for (let times = 0; times < 8; times += 1) await page.keyboard.press('Backspace');
  await expect(message).not.toHaveAttribute('aria-invalid');
  await page.keyboard.press('Tab');
  await app.idle();
  await page.keyboard.press('Escape');
  await result.getByRole('heading').first().click();
  await page.keyboard.press('u');
  await expect(message).toHaveValue('4096');

  const duration = app.field('Duration, ms');
  await duration.focus();
  await page.keyboard.press('ControlOrMeta+a');
  // 1.0 is 1, and is left as it is typed.
  await page.keyboard.type('1.05');
  await expect(duration).toHaveValue('1.05');
  await app.idle();
  await expect(page).toHaveURL(/duration_us%22:1050/);
});

test('a setting is swept over a range: points come, the curve bends, and a point and the link lead back', async ({
  app,
  page,
}) => {
  const scenario = {
    ...{ machine: 'current-server', kernel: '6.1', workload: 'iperf-link', seed: 1 },
    settings: { cpus: 2, connections: 1, peer: 'current-server', message_bytes: 16384 },
    duration_us: 2000,
  };
  const link = `#v=1&at=lab&scenario=${encodeURIComponent(JSON.stringify(scenario))}`;
  await app.open(link);
  const sweep = app.region('Sweep: a setting or two over a range');
  await sweep.getByRole('combobox', { name: 'Setting' }).selectOption('rx_ring');
  await sweep.getByRole('spinbutton', { name: 'From' }).fill('2');
  await sweep.getByRole('spinbutton', { name: 'To' }).fill('256');
  await sweep.getByRole('spinbutton', { name: 'Values' }).fill('4');
  await sweep.getByRole('spinbutton', { name: 'Seeds at each' }).fill('2');
  await page.keyboard.press('Tab');
  await sweep.getByRole('button', { name: 'Run it 8 times' }).click();
  await expect(sweep.getByRole('status').first()).toHaveText('8 of 8 runs');
  await expect(sweep.getByRole('group').getByRole('link')).toHaveCount(4);
  await sweep.getByRole('combobox', { name: 'Figure' }).selectOption('CPUs busy');
  await expect(sweep.getByText('CPUs busy by')).toBeVisible();
  await expect(sweep.getByRole('status').first()).toHaveText('8 of 8 runs');
  expect(await app.accessibilityProblems()).toEqual([]);
  const saving = page.waitForEvent('download');
  await sweep.getByRole('button', { name: 'PNG' }).click();
  expect((await saving).suggestedFilename()).toBe('busy-rx_ring.png');
  await app.idle();
  await expect(page).toHaveURL(/sweep=rx_ring\.2\.256\.4\.log\.2\.busy/);
  await page.reload();
  await expect(sweep.getByRole('status').first()).toHaveText('8 of 8 runs');
  await expect(sweep.getByRole('group').getByRole('link')).toHaveCount(4);
  await sweep.getByRole('spinbutton', { name: 'Seeds at each' }).fill('3');
  await page.keyboard.press('Tab');
  await expect(sweep.getByRole('button', { name: 'Run what is missing' })).toBeVisible();
  await sweep.getByRole('spinbutton', { name: 'Seeds at each' }).fill('2');
  await page.keyboard.press('Tab');
  await app.idle();
  await sweep.getByRole('group').getByRole('link').first().focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/rx_ring%22:2[,%].*at=stage/);
  await app.idle();
  await expect(page.getByRole('application')).toHaveCount(1);
  await page.goBack();
  await expect(sweep.getByRole('group').getByRole('link')).toHaveCount(4);
});

test('two settings are a heat map, walked by arrows in the dark, and a field of it opens its run', async ({
  app,
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  const scenario = {
    ...{ machine: 'current-server', kernel: '6.1', workload: 'iperf-link', seed: 1 },
    settings: { cpus: 2, connections: 1, peer: 'current-server', message_bytes: 16384 },
    duration_us: 1000,
  };
  const sweep = 'rx_ring.4.64.3.log.1.throughput.map~connections~1~2';
  await app.open(
    `#v=1&at=lab&scenario=${encodeURIComponent(JSON.stringify(scenario))}&sweep=${sweep}`,
  );
  const part = app.region('Sweep: a setting or two over a range');
  await part.getByRole('button', { name: 'Run it 6 times' }).click();
  await expect(part.getByRole('status').first()).toHaveText('6 of 6 runs');
  const fields = part.getByRole('group', { name: /heat map/i }).getByRole('link');
  await expect(fields).toHaveCount(6);
  expect(await app.accessibilityProblems()).toEqual([]);
  await fields.first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.locator(':focus')).toHaveAccessibleName(/16/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/rx_ring%22:16[,%].*at=stage/);
  await expect(app.transport()).toBeVisible();
});

test('the scenario’s JSON is changed by hand: the form and the card follow, and what is none is left', async ({
  app,
  page,
}) => {
  await app.open('#v=1&at=lab');
  await app.form().getByText('As JSON').click();
  const json = app.field('The scenario');
  const text = await json.inputValue();
  await json.fill(text.replace('"connections": 2', '"connections": 1'));
  await page.keyboard.press('Tab');
  await expect(app.field('Connections')).toHaveValue('1');
  const result = app.region('What comes of it');
  await expect(result.getByRole('listitem').first()).toContainText('Connections');
  expect(await app.accessibilityProblems()).toEqual([]);
  await json.fill('{"machine":');
  await page.keyboard.press('Tab');
  await expect(json).toHaveAttribute('aria-invalid', 'true');
  await expect(json).toHaveValue('{"machine":');
  await expect(app.field('Connections')).toHaveValue('1');
});

test('the form’s link is the form, and going back leads through the places', async ({
  app,
  page,
}) => {
  await app.open();
  await app.place('Lab').click();
  await app.field('Seed').fill('12345');
  await app.field('Duration, ms').focus();
  await app.idle();
  await expect(page).toHaveURL(/seed%22:12345%7D&before=.*&at=lab/);
  await page.reload();
  await expect(app.field('Seed')).toHaveValue('12345');
  await page.goBack();
  await expect(app.field('Seed')).toHaveValue('1');
  await page.goBack();
  await expect(app.heading('Recordings')).toBeVisible();
});

test('an emptied duration is told in the words of its field', async ({ app, page }) => {
  await app.open('#v=1&at=lab');
  await app.field('Duration, ms').fill('');
  await app.form().getByRole('button', { name: 'Run', exact: true }).click();
  await expect(app.field('Duration, ms')).toHaveAttribute('aria-invalid', 'true');
  await expect(app.form()).toContainText('From 1 µs to 60 s.');
  await expect(app.alarm()).toContainText('Duration, ms: How long it is to run');
  await expect(page.getByText('duration_us is missing')).toHaveCount(0);
});

test('a scenario that is refused comes into the form with the reason at its field', async ({
  app,
}) => {
  await app.open(`#v=1&at=stage&scenario=${encodeURIComponent(broken)}`);
  await expect(app.alarm()).toContainText('could not be run');
  await expect(app.alarm()).toContainText('machine');
  await expect(app.heading('Lab')).toBeVisible();
  await expect(app.field('Machine')).toHaveAttribute('aria-invalid', 'true');
  await app.field('Machine').selectOption({ index: 1 });
  await expect(app.field('Machine')).not.toHaveAttribute('aria-invalid');
  await expect(app.alarm()).toHaveCount(0);
});

test('a scenario that is no JSON leads to the form and is told', async ({ app }) => {
  await app.open('#v=1&at=stage&scenario={"machine":');
  await expect(app.heading('Lab')).toBeVisible();
  await expect(app.notice()).toContainText('scenario was left out');
});

test('a simulation under way says how far it is and can be cancelled', async ({ app }) => {
  await app.open('#v=1&at=lab');
  const duration = app.field('Duration, ms');
  await duration.fill((await duration.getAttribute('max')) ?? '');
  const told = await app.pressOnce('Cancel', 'Simulation', /of .*event/);
  await app.form().getByRole('button', { name: 'Run', exact: true }).first().click();
  expect(await told()).toMatch(/of .*event/);
  await expect(app.region('Simulation')).toHaveCount(0);
  await expect(app.heading('Lab')).toBeVisible();
});

test('what is not modelled is one click away, in the Lab and beside a run', async ({
  app,
  page,
}) => {
  await app.open('#v=1&at=lab');
  await app.button('What is not modelled').click();
  const limits = app.dialog('What is not modelled');
  await expect(limits.getByRole('heading', { level: 3 }).first()).toBeVisible();
  expect(await app.accessibilityProblems()).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(limits).toHaveCount(0);
  await app.card(0).getByRole('link').click();
  await app.button('Not modelled').click();
  await expect(limits).toBeVisible();
});

for (const [width, colorScheme] of [
  [1280, 'light'],
  [1600, 'dark'],
  [400, 'light'],
] as const) {
  test(`the Lab and a simulation have no accessibility violation, ${width} px, ${colorScheme}`, async ({
    app,
    page,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await app.open('#v=1&at=lab');
    const shownWidth = () => page.evaluate(() => document.documentElement.scrollWidth);
    expect(await app.accessibilityProblems()).toEqual([]);
    expect(await shownWidth()).toBeLessThanOrEqual(width);
    await app.card(0).getByRole('link').click();
    await expect(app.transport()).toBeVisible();
    await app.idle();
    expect(await app.accessibilityProblems()).toEqual([]);
    expect(await shownWidth()).toBeLessThanOrEqual(width);
  });
}

test('a fault by hand is part of the scenario, of its link and of the run', async ({
  app,
  page,
}) => {
  const calm =
    '{"machine":"fermilab-piii-1000","kernel":"2.6.9","workload":"iperf-link","settings":{"connections":1},"duration_us":3000,"seed":1}';
  await app.open(`#v=1&at=lab&scenario=${encodeURIComponent(calm)}`);
  await page.getByText('Faults by hand').click();
  await app.button('Add a fault').click();
  await expect(app.field('At, ms')).toHaveValue('1.5');
  await app.field(/^What$/).selectOption('Change the receive ring');
  await app.field('To, descriptors').fill('0');
  await app.field('At, ms').fill('9');
  await page.keyboard.press('Tab');
  await expect(app.form().getByText('A whole number, 1 to 8,192 descriptors.')).toBeVisible();
  await expect(app.form().getByText('Within the run: 0 to 3 ms.')).toBeVisible();

  await app.field('To, descriptors').fill('2');
  await app.field('At, ms').fill('1');
  await app.form().getByRole('button', { name: 'Run', exact: true }).click();
  await expect(app.banner()).toContainText('simulated');
  await app.idle();
  await expect(page).toHaveURL(/set_ring%22,%22descriptors%22:2%7D/);

  await app.button('Open in the Lab').click();
  await expect(app.field('To, descriptors')).toHaveValue('2');
  await app.button('Take out').click();
  await expect(app.field('To, descriptors')).toHaveCount(0);
});
