/**
 * The Lab measured as a visitor meets it: from a change of the form to the card that answers it, for each
 * scenario of the shelf. The change is another seed, so that both runs are of the same length.
 */
import { withPage } from './browser.mjs';

/**
 * For each scenario, in milliseconds from the change: `first` figures on the card, which may be of a run's first
 * stretch and say so; both first runs compared (`whole`); all seeds run and the verdict there (`settled`).
 */
export function measureLab(outDir, isWanted = () => true) {
  return withPage(outDir, async (page, address) => {
    await page.goto(`${address}#v=1&at=lab`);
    const shelf = page.locator('article');
    await shelf.first().waitFor();
    const rows = [];
    const count = await shelf.count();
    for (let at = 0; at < count; at += 1) {
      if (!isWanted(at)) continue;
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
 * How much of a sweep of so many runs each core was at work: what the runs took one after the other, over what
 * they took on all cores, by the cores.
 */
export function measureSweep(outDir, scenario, cores) {
  return withPage(outDir, async (page, address) => {
    const plan = 'rx_ring.16.4096.20.log.1.throughput';
    const link = `#v=1&at=lab&scenario=${encodeURIComponent(JSON.stringify(scenario))}&sweep=${plan}`;
    await page.addInitScript((count) => {
      Object.defineProperty(navigator, 'hardwareConcurrency', { value: count });
    }, cores);
    await page.goto(address + link);
    await page.locator('.result[aria-busy=false] table').waitFor();
    const run = page.getByRole('button', { name: 'Run it 20 times' });
    await run.waitFor();
    const startedAt = Date.now();
    await run.click();
    await page.getByText('20 of 20 runs').waitFor();
    return Date.now() - startedAt;
  });
}
