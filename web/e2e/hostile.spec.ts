/**
 * Links that somebody built to do harm, whose parts are each of the right form: the page says what is wrong and
 * goes on. That none throws or asks another origin every test here checks (`test.ts`).
 */
import { expect, test } from './test.ts';

const scenario = {
  ...{ machine: 'current-server', kernel: '6.1', workload: 'iperf-link', seed: 1 },
  settings: { cpus: 2, connections: 1, peer: 'current-server', message_bytes: 16384 },
  duration_us: 500,
};
const text = (value: unknown) => encodeURIComponent(JSON.stringify(value));
const played = `#v=1&at=stage&scenario=${text(scenario)}`;

const fault = (kind: string) => ({ ...scenario, faults: [{ at_us: 5, do: kind, __proto__: 1 }] });
const IN_THE_LAB: readonly (readonly [what: string, link: string])[] = [
  ['a fault of a name of JavaScript’s', `#v=1&at=lab&scenario=${text(fault('constructor'))}`],
  ['a fault that is a prototype', `#v=1&at=lab&scenario=${text(fault('__proto__'))}`],
  [
    'a fault far after the end',
    `#v=1&at=lab&scenario=${text({ ...scenario, faults: [{ at_us: 1e308, do: 'drop_frame' }] })}`,
  ],
  [
    'settings of names of JavaScript’s',
    `#v=1&at=lab&scenario=${text({ ...scenario, settings: { constructor: 1, toString: true } })}`,
  ],
  [
    'a setting that is null',
    `#v=1&at=lab&scenario=${text({ ...scenario, settings: { peer: null } })}`,
  ],
  [
    'a run of 1e308 microseconds',
    `#v=1&at=lab&scenario=${text({ ...scenario, duration_us: 1e308 })}`,
  ],
  [
    'a machine that is a prototype',
    `#v=1&at=lab&scenario=${text({ ...scenario, machine: '__proto__', kernel: 'constructor' })}`,
  ],
];
for (const [what, link] of IN_THE_LAB) {
  test(`in the Lab: ${what} is refused`, async ({ app, page }) => {
    await app.open(link);
    await expect(app.heading('Lab')).toBeVisible();
    await expect(page.getByText('object Object')).toHaveCount(0);
    await expect(app.region('What comes of it')).toBeVisible();
  });
}

test('a sweep of what is no setting, by what is no figure, is refused', async ({ app, page }) => {
  for (const sweep of [
    'constructor.0.1000000000000.40.log.10.constructor',
    'rx_ring.0.1000000000000.40.even.10.throughput~constructor~1~2',
    'duration_us.999999999998.1000000000000.3.even.1.toString~kernel~toString',
  ]) {
    await page.goto('about:blank');
    await app.open(`#v=1&at=lab&scenario=${text(scenario)}&sweep=${sweep}`);
    await expect(app.heading('Lab')).toBeVisible();
  }
});

test('forks of packets and settings that there are not are told, and the run plays', async ({
  app,
  page,
}) => {
  const forks = [
    scenario,
    ...Array.from({ length: 9 }, (_, at) => [at, { at_us: 1e15, do: 'drop_frame' }]),
    [3, { constructor: 'x' }],
    [0, { at_us: 4, do: '__proto__' }],
  ];
  await app.open(`${played}&packet=4294967294&forks=${text(forks)}`);
  await expect(page.getByRole('application')).toHaveCount(1);
  await expect(app.notice()).toContainText('packet');
  await page.keyboard.press('b');
  await expect(page.getByText('object Object')).toHaveCount(0);
});

test('thousands of forks are left out and told', async ({ app, page }) => {
  const forks = [scenario, ...Array.from({ length: 3000 }, (_, at) => [at, { a: at }])];
  await app.open(`${played}&forks=${text(forks).slice(0, 7000)}`);
  await expect(app.notice()).toContainText('forks');
  await expect(page.getByRole('application')).toHaveCount(1);
});

for (const name of ['constructor', '__proto__', 'toString']) {
  test(`a setting called ${name} is compared by what it is set to`, async ({ app, page }) => {
    // Written out: an object of ours with a field `__proto__` would have none.
    const changed = text(scenario).replace(/%22cpus%22[^,]*?%2C/, `%22${name}%22%3A1%2C`);
    const links = [
      `#v=1&at=lab&scenario=${changed}&before=${text(scenario)}`,
      `#v=1&at=lab&scenario=${text(scenario)}&before=${changed}`,
    ];
    for (const link of links) {
      await page.goto('about:blank');
      await app.open(link);
      await expect(page.getByText(`${name}:`).first()).toBeVisible();
      await expect(page.getByText(/native code|object Object/)).toHaveCount(0);
    }
    const forks = encodeURIComponent(`[${JSON.stringify(scenario)},[0,{"${name}":1}]]`);
    await page.goto('about:blank');
    await app.open(`${played}&panel=forks&forks=${forks}`);
    const tree = page.getByRole('list', { name: 'Forks of this run' });
    await expect(tree).toContainText(`${name}: 1 instead of`);
    await expect(tree).not.toContainText(/native code|object Object/);
  });
}

test('a fork that cannot run says why, and is not waited for', async ({ app, page }) => {
  const forks = [scenario, [0, { at_us: -1, do: 'drop_frame' }]];
  await app.open(`${played}&panel=forks&forks=${text(forks)}`);
  const tree = page.getByRole('list', { name: 'Forks of this run' });
  await expect(tree).toContainText('It does not run: Faults by hand');
  await expect(tree).not.toContainText('is being run');
});

const long = 'm'.repeat(1500);
const LONG_WORDS: readonly (readonly [what: string, link: string])[] = [
  ...(['machine', 'kernel', 'workload'] as const).flatMap((field) =>
    (['lab', 'stage'] as const).map(
      (at) =>
        [
          `a ${field}, at=${at}`,
          `#v=1&at=${at}&scenario=${text({ ...scenario, [field]: long })}`,
        ] as const,
    ),
  ),
  [
    'a setting’s name',
    `#v=1&at=lab&scenario=${text({ ...scenario, settings: { [long]: 1 } })}&before=${text(scenario)}`,
  ],
  [
    'a setting’s value',
    `#v=1&at=lab&scenario=${text({ ...scenario, settings: { ...scenario.settings, peer: long } })}`,
  ],
  ['a fault', `#v=1&at=lab&scenario=${text(fault(long))}&before=${text(scenario)}`],
  ['a probe', `#v=1&at=lab&scenario=${text({ ...scenario, instrumentation: [long] })}`],
  ['a field', `#v=1&at=stage&scenario=${text({ ...scenario, [long]: 1 })}`],
  ['a fork', `${played}&panel=forks&forks=${text([scenario, [0, { [long]: 1 }]])}`],
  ['a trace', `#v=1&at=stage&trace=${'m'.repeat(64)}`],
  ['a lesson', `#v=1&at=stage&lesson=${'m'.repeat(62)}.1`],
];
test('a long word makes no page wider than its window, on a phone and on a desk', async ({
  app,
  page,
}) => {
  for (const [what, link] of LONG_WORDS) {
    await page.goto('about:blank');
    // What the page settles as it opens it settles for the narrow one, which is the harder.
    await page.setViewportSize({ width: 390, height: 800 });
    await app.open(link);
    await expect(page.getByText('mmmmmmmm').first(), what).toBeAttached();
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      // What follows the window's width does so before the next frame is drawn.
      await page.evaluate(
        () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
      );
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect.soft(wide, `${what}, ${width} px`).toBeLessThanOrEqual(width);
    }
  }
});

test('what failed of a link goes with the next one, and what fails of that one is told', async ({
  app,
  page,
}) => {
  const failing = (cpus: number) =>
    `#v=1&at=stage&scenario=${text({ ...scenario, settings: { ...scenario.settings, cpus } })}`;
  const good = [`#v=1&at=lab&scenario=${text(scenario)}`, '#v=1&at=papers', '#v=1'];
  for (const link of good) {
    await page.goto('about:blank');
    await app.open(failing(1e300));
    await expect(app.alarm()).toContainText('could not be run');
    await app.open(failing(0));
    await expect(app.alarm()).toContainText('is 0');
    await app.open(link);
    await expect(app.alarm(), link).toHaveCount(0);
  }
});

test('nothing in a scenario turns the writing around', async ({ app, page }) => {
  const turned = '\u202eabc';
  const links = [
    `#v=1&at=stage&scenario=${text({ ...scenario, machine: turned })}`,
    `#v=1&at=lab&scenario=${text({ ...scenario, settings: { [turned]: turned, gro: turned } })}&before=${text(scenario)}`,
    `#v=1&at=lab&scenario=${text(fault(turned))}&before=${text(scenario)}`,
    `#v=1&at=lab&scenario=${text({ ...scenario, instrumentation: [turned], [turned]: 1 })}`,
    `${played}&panel=forks&forks=${text([scenario, [0, { at_us: 4, do: turned }], [0, { [turned]: 1 }]])}`,
  ];
  for (const link of links) {
    await page.goto('about:blank');
    await app.open(link);
    await expect(page.getByText('·abc').first(), link).toBeAttached();
    // In the field of the scenario's own text it stands as it is, to be changed.
    await expect(page.locator(':not(textarea)').getByText('\u202e'), link).toHaveCount(0);
  }
});
