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
