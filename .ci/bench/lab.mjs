/**
 * The Lab measured as a visitor meets it: from a change of the form to the card that answers it, for each
 * scenario of the shelf. The change is another seed, so that both runs are of the same length.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { wasmCore } from '../shell.mjs';
import { withPage } from './browser.mjs';
import { quantile, row } from './table.mjs';

/** The card over all scenarios, and how many cores a sweep keeps at work. */
export async function labRows(app) {
  const rows = await measureLab(app);
  const times = (what) => rows.map((one) => one[what]);
  const both = (title, what, target = {}) => [
    row(title, quantile(times(what), 0.5), 'ms'),
    row('  95 of 100 within', quantile(times(what), 0.95), 'ms', target),
  ];
  const path = join(wasmCore, 'data', 'scenarios', 'today-gro.json');
  const { scenario } = JSON.parse(readFileSync(path, 'utf8'));
  const cores = availableParallelism();
  const alone = await measureSweep(app, scenario, 1);
  const together = await measureSweep(app, scenario, cores);
  const slowest = rows.reduce((most, one) => (one.first > most.first ? one : most));
  return [
    ...both('first figures, of a stretch or the whole', 'first', { atMost: 300 }),
    row(`  the slowest: ${slowest.title}`, slowest.first, 'ms'),
    ...both('both first runs compared', 'whole'),
    ...both('all seeds, and the verdict', 'settled'),
    row(
      `a sweep of 20 points: times as fast on ${cores} cores as on one`,
      alone.took / together.took,
      '×',
    ),
    row(
      '  workers that have a run in hand, of as many as there are cores',
      (100 * together.busy) / together.took / cores,
      '%',
    ),
  ];
}

/**
 * For each scenario, in milliseconds from the change: `first` figures on the card, which may be of a run's first
 * stretch and say so; both first runs compared (`whole`); all seeds run and the verdict there (`settled`).
 */
function measureLab(outDir) {
  return withPage(outDir, async (page, address) => {
    await page.goto(`${address}#v=1&at=lab`);
    const shelf = page.locator('article');
    await shelf.first().waitFor();
    const rows = [];
    const count = await shelf.count();
    for (let at = 0; at < count; at += 1) {
      const scenario = await shelf.nth(at).getByRole('link').first().getAttribute('href');
      const link = new URLSearchParams(scenario.slice(1)).get('scenario');
      await page.goto('about:blank');
      await page.goto(`${address}#v=1&at=lab&scenario=${encodeURIComponent(link)}`);
      await page.locator('.result[aria-busy=false] table').waitFor();
      const title = await shelf.nth(at).getByRole('link').first().innerText();
      rows.push({ title, ...(await page.evaluate(changeSeed)) });
    }
    return rows;
  });
}

/** In the page: gives the form another seed and looks at the card in every frame until it has settled. */
function changeSeed() {
  const field = [...document.querySelectorAll('form label')].find(
    (one) => one.textContent === 'Seed',
  );
  const input = document.getElementById(field.htmlFor);
  const result = document.querySelector('.result');
  const startedAt = performance.now();
  input.value = '1234';
  input.dispatchEvent(new Event('input', { bubbles: true }));
  input.dispatchEvent(new Event('change', { bubbles: true }));
  return new Promise((resolve) => {
    const times = {};
    const look = () => {
      const now = performance.now() - startedAt;
      // Until the change is taken in, the card is the one before.
      if (result.getAttribute('aria-busy') === 'true' || times.seen) {
        times.seen = true;
        if (result.querySelector('table')) times.first ??= now;
        if (result.querySelector('thead')) times.whole ??= now;
        if (result.getAttribute('aria-busy') === 'false') {
          resolve({ first: times.first, whole: times.whole, settled: now });
          return;
        }
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/**
 * A sweep of 20 runs on so many workers, in milliseconds: how long it `took`, and how long workers were `busy`
 * with a run, summed over them. Other work on the machine makes both longer.
 */
function measureSweep(outDir, scenario, cores) {
  return withPage(outDir, async (page, address) => {
    const plan = 'rx_ring.16.4096.20.log.1.throughput';
    const link = `#v=1&at=lab&scenario=${encodeURIComponent(JSON.stringify(scenario))}&sweep=${plan}`;
    await page.addInitScript((count) => {
      Object.defineProperty(navigator, 'hardwareConcurrency', { value: count });
    }, cores);
    await page.addInitScript(countBusy);
    await page.goto(address + link);
    await page.locator('.result[aria-busy=false] table').waitFor();
    const run = page.getByRole('button', { name: 'Run it 20 times' });
    await run.waitFor();
    return page.evaluate(runSweep);
  });
}

/** In the page: presses the button and waits for the last run, without asking all the while, which costs time itself. */
function runSweep() {
  const named = (one) => one.textContent.includes('Run it 20 times');
  const button = [...document.querySelectorAll('button')].find(named);
  const status = button.parentElement.querySelector('[role=status]');
  const startedAt = performance.now();
  globalThis.handed.busy = 0;
  return new Promise((resolve) => {
    const watch = new MutationObserver(() => {
      if (!status.textContent.includes('20 of 20')) return;
      watch.disconnect();
      resolve({ took: performance.now() - startedAt, busy: globalThis.handed.busy });
    });
    watch.observe(status, { childList: true, characterData: true, subtree: true });
    button.click();
  });
}

/** In the page, before it begins: adds up in `handed.busy` how long workers have a scenario that is tried out. */
function countBusy() {
  const handed = (globalThis.handed = { busy: 0 });
  const since = new Map();
  const Plain = globalThis.Worker;
  globalThis.Worker = class extends Plain {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', ({ data }) => {
        if (!since.has(data?.id)) return;
        handed.busy += performance.now() - since.get(data.id);
        since.delete(data.id);
      });
    }
    postMessage(message, ...rest) {
      if (message?.path?.includes('tryOut')) since.set(message.id, performance.now());
      super.postMessage(message, ...rest);
    }
  };
}
