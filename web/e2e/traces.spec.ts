/** Opening traces: from the shelf, by drop, pick and paste; what cannot be opened says why. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './test.ts';

const traces = join(import.meta.dirname, '../../traces');
const index = JSON.parse(readFileSync(join(traces, 'index.json'), 'utf8')) as {
  readonly groups: readonly {
    readonly slugs: readonly string[];
    readonly scenarios?: readonly string[];
  }[];
};
const loopback = readFileSync(join(traces, 'loopback/trace.txt.gz'));

test('the shelf shows every recording with what to look at', async ({ app, page }) => {
  await app.open();
  await expect(page.getByRole('article')).toHaveCount(
    index.groups.flatMap(({ slugs, scenarios = [] }) => [...slugs, ...scenarios]).length,
  );
  await expect(app.heading('When it goes wrong')).toBeVisible();
  const card = page.getByRole('article').filter({ hasText: 'UDP datagrams in six fragments' });
  await card.getByText('What to look at').click();
  await expect(card.getByText('Each datagram is 6 fragments')).toBeVisible();
});

test('the licences of all that the page holds come with it', async ({ app, page }) => {
  await app.open();
  for (const [link, name] of [
    ['page', '## svelte - '],
    ['core', '## flate2 - '],
  ] as const) {
    const address = await app.footer().getByRole('link', { name: link }).getAttribute('href');
    const answer = await page.request.get(address ?? '');
    expect(await answer.text()).toContain(name);
    if (link === 'page') continue;
    // What the standard library allocates with in wasm stands in a file of its own.
    const library = await page.request.get(new URL('library.html', answer.url()).href);
    expect(await library.text()).toContain('dlmalloc');
  }
});

test('the first thing on the page plays a run, and shows its way', async ({ app, page }) => {
  await app.open('#v=1&trace=udp-small&at=stage&view=queues');
  await expect(page.getByRole('tab', { name: 'Queues', selected: true })).toBeVisible();
  await app.banner().getByRole('link', { name: 'Recordings' }).click();
  await page.getByRole('link', { name: 'Play its journey' }).click();
  await expect(app.control(/^Pause/)).toBeVisible();
  await expect(page.getByRole('tab', { name: 'The way', selected: true })).toBeVisible();
  // The packet that is told of is followed, as for whoever presses play.
  await expect(page).toHaveURL(/follow=1/);
});

test('the shelf is narrowed by origin, by what happens and by words', async ({ app, page }) => {
  await app.open();
  await page.getByText('Simulated', { exact: true }).click();
  await app.button('waiting for locks').click();
  await page.getByRole('searchbox').fill('big lock');
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(app.recording('Four CPUs, one big lock')).toBeVisible();
  await page.getByRole('searchbox').fill('no such run');
  await expect(page.getByText('Nothing on the shelf is like that')).toBeVisible();
});

test('a scenario of the shelf runs from its card', async ({ app }) => {
  await app.open();
  await app.openRecording('One message, two segments');
  await expect(app.banner()).toContainText('simulated');
});

test('a recording of the shelf opens, and the shelf is one click away', async ({ app, page }) => {
  await app.open();
  await app.openRecording('Loopback');
  await expect(app.place('Loopback')).toHaveAttribute('aria-current', 'page');
  await expect(page.getByText('recorded', { exact: true })).toBeVisible();
  // Film stands before what the card promises, and not at its beginning.
  await expect(page.getByRole('listitem').getByRole('button').first()).toHaveAttribute(
    'aria-current',
    'true',
  );
  await expect(app.moment()).not.toHaveText(/^0/);
  await app.place('Recordings').click();
  await expect(app.heading('Recordings')).toBeVisible();
  await expect(page.getByText('open now')).toBeVisible();
  await app.place('Loopback').click();
  await expect(app.transport()).toBeVisible();
});

test('a file dropped anywhere opens', async ({ app }) => {
  await app.open();
  await app.drop([{ name: 'mine.txt.gz', bytes: loopback }]);
  await expect(app.place('mine.txt.gz')).toHaveAttribute('aria-current', 'page');
  await app.idle();
});

test('files that are picked open', async ({ app, page }) => {
  await app.open();
  const chooser = page.waitForEvent('filechooser');
  await app.button('Choose files…').click();
  await (await chooser).setFiles(join(traces, 'kperf-2005-udp/trace.txt.gz'));
  await expect(app.place('trace.txt.gz')).toBeVisible();
  await expect(app.button(/700.lines/)).toBeVisible();
});

test('pasted text opens', async ({ app, page }) => {
  await app.open();
  await app.button('Paste text…').click();
  await page
    .getByRole('textbox', { name: /tracing/ })
    .fill(
      '278 id 6 seq 31 thread 1 ts 1105888396.088332 x90\n278 id 7 seq 31 thread 1 ts 1105888396.088340 x90\n',
    );
  await app.dialog('Paste the text of a trace').getByRole('button', { name: 'Open' }).click();
  await expect(app.place('pasted text')).toBeVisible();
});

test('a pasted link is followed', async ({ app, page }) => {
  await app.open();
  await app.button('Paste text…').click();
  await page.getByRole('textbox', { name: /tracing/ }).fill('https://example.org/#v=1&at=papers');
  await app.dialog('Paste the text of a trace').getByRole('button', { name: 'Open' }).click();
  await expect(app.heading('Papers')).toBeVisible();
  await expect(app.alarm()).toHaveCount(0);
});

test('what is no trace is told, and the trace that was open stays', async ({ app }) => {
  await app.open();
  await app.openRecording('Loopback');
  await app.drop([{ name: 'holiday.png', bytes: Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR') }]);
  await expect(app.alarm()).toContainText('holiday.png could not be opened');
  await expect(app.alarm()).toContainText('accepted is');
  await expect(app.alarm()).toContainText('still there');
  await expect(app.place('Loopback')).toHaveAttribute('aria-current', 'page');
  await app.button('Put away').click();
  await expect(app.alarm()).toHaveCount(0);
});

test('the ledger is one click away and leads to the lines', async ({ app }) => {
  await app.open();
  const text = `# tracer: nop\n${'          <idle>-0       [000] ..s1.     1.000100: no_such_event: a=1\n'.repeat(3)}this line is broken\n          <idle>-0       [000] ..s1.     1.000200: netif_receive_skb: dev=eth0 skbaddr=0xffff8880089e2200 len=100\n`;
  await app.drop([{ name: 'odd.txt', bytes: Buffer.from(text) }]);
  await app.button(/6.lines/).click();
  const ledger = app.region('Import report');
  await expect(ledger).toContainText('every one accounted for');
  await ledger.getByText('no_such_event', { exact: true }).click();
  await expect(ledger.getByRole('list', { name: 'Lines of no_such_event' })).toContainText('a=1');
  await app.button('Close the import report').click();
  await expect(ledger).toHaveCount(0);
});

test('an import is cancelled at once, and the trace that was open stays', async ({ app, page }) => {
  await app.open();
  await app.openRecording('Loopback');
  await app.place('Recordings').click();
  // The file never comes: whatever ends this import, it is the cancel.
  await page.route('**/*.gz', () => undefined);
  await app.recording('TCP with GRO').click();
  await app.button('Cancel').click();
  await expect(app.button('Cancel')).toHaveCount(0);
  await app.place('Loopback').click();
  await expect(app.transport()).toBeVisible();
  await app.idle();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
