/**
 * The core measured: an import and seeks natively, and the same in the browser's worker.
 * Each side also counts the lines of the same bytes, which tells how fast the machine is.
 */
import { join } from 'node:path';
import { SetupError, ask, root } from '../shell.mjs';
import { buildPage, withPage } from './browser.mjs';
import { peakMemory } from './perfetto.mjs';
import { buildSpeed } from './simulator.mjs';

export const SEEKS = 2000;

/** Of several runs the fastest: what else the machine did only ever adds. */
export const fastest = (runs, by) => runs.reduce((best, one) => (by(one) < by(best) ? one : best));

/** A file imported, searched for findings and sought in natively; of several runs the fastest. */
export function measureNative(input, repeats, { seeks = 0, by = (one) => one.opening } = {}) {
  const command = buildSpeed();
  const runs = Array.from({ length: repeats }, () => {
    const said = ask(command, [input.path, String(seeks)], {
      timeout: 600_000,
      maxBuffer: 1 << 26,
    });
    if (said === undefined) throw new SetupError(`${command} did not import ${input.path}`);
    return JSON.parse(said);
  });
  return fastest(runs, by);
}

/** Builds the page of the bench; `browse` opens it with a trace chosen. */
export function buildCorePage() {
  return buildPage('core', join(root, 'web', 'core', 'bench', 'index.html'));
}

function browse(outDir, input, work) {
  return withPage(outDir, async (page, address) => {
    await page.goto(`${address}core/bench/index.html`);
    await page.getByLabel('A trace').setInputFiles(input.path);
    return work(page);
  });
}

/** Each repetition in a page of its own, as the module's memory never shrinks. */
async function eachInAPage(outDir, input, repeats, work) {
  const runs = [];
  for (let repeat = 0; repeat < repeats; repeat += 1) runs.push(await browse(outDir, input, work));
  return runs;
}

/** An import in the worker, and the lines of the same bytes counted there. */
export async function measureImport(outDir, input, repeats) {
  const runs = await eachInAPage(outDir, input, repeats, async (page) => {
    const countMs = await page.evaluate(() => bench.count());
    return { countMs, ...(await page.evaluate(() => bench.open())) };
  });
  return fastest(runs, (one) => one.openMs);
}

/** An import in the worker, and the most memory that the browser's page has had for it. */
export function measureResident(outDir, input) {
  return browse(outDir, input, async (page) => ({
    ...(await page.evaluate(() => bench.open())),
    memory: await peakMemory(page),
  }));
}

/** An import in the worker, and the module's memory when the page has asked what it asks for at once. */
export function measureMemory(outDir, input) {
  return browse(outDir, input, async (page) => ({
    ...(await page.evaluate(() => bench.open())),
    memoryWhenTold: await page.evaluate(() => bench.memoryWhenTold()),
  }));
}

/**
 * A scenario simulated in the worker, each time in a page of its own, and there a second time: the
 * first is slower until the browser has compiled what runs often once more.
 */
export async function measureSimulating(outDir, scenario, isRecording, repeats) {
  const runs = [];
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const once = await withPage(outDir, async (page, address) => {
      await page.goto(`${address}core/bench/index.html`);
      const simulate = () =>
        page.evaluate(
          ([text, records]) => bench.simulate(text, records),
          [JSON.stringify(scenario), isRecording],
        );
      await simulate();
      return simulate();
    });
    runs.push(once);
  }
  return fastest(runs, (one) => one.ms);
}

/** What happened in a run, found in the worker. */
export async function measureFindings(outDir, input, repeats) {
  const runs = await eachInAPage(outDir, input, repeats, async (page) => {
    const { events, openMs } = await page.evaluate(() => bench.open());
    return { events, openMs, ms: await page.evaluate(() => bench.findings()) };
  });
  return fastest(runs, (one) => one.ms);
}

/** Seeks at random times, in the worker and from the page; and where 200 packets are shown. */
export function measureReplay(outDir, input, speeds, lingerSeconds, wanted) {
  return browse(outDir, input, async (page) => {
    const { events, duration } = await page.evaluate(() => bench.open());
    const seek = (times, linger) =>
      page.evaluate(([at, after]) => bench.seek(at, after), [times, linger]);
    const times = randomTimes(SEEKS, duration);
    await seek(times.slice(0, 200), 0);
    const inWorker = await seek(times, 0);
    const roundTrips = await page.evaluate((at) => bench.roundTrips(at, 0), times);
    const films = [];
    for (const speed of speeds) {
      // Films of four seconds, looked at once a second.
      const starts = randomTimes(100, duration).filter((from) => from + 4 * speed < duration);
      const moments = starts.flatMap((from) => [1, 2, 3, 4].map((second) => from + second * speed));
      const { packets, hops } = await seek(moments, speed * lingerSeconds);
      for (const [at, from] of starts.entries()) {
        const of = (column) => column.slice(at * 4, at * 4 + 4);
        films.push({ speed, from: from / duration, packets: of(packets), hops: of(hops) });
      }
    }
    return {
      events,
      duration,
      inWorker: inWorker.taken,
      roundTrips,
      film: liveliest(films, wanted),
    };
  });
}

/** Of the films that show about as many packets as wanted, the one in which most of them move. */
function liveliest(films, wanted) {
  const off = ({ packets }) => Math.max(...packets.map((count) => Math.abs(count / wanted - 1)));
  const near = films.filter((film) => off(film) < 0.25);
  if (near.length === 0) return fastest(films, off);
  return fastest(near, ({ hops }) => -Math.min(...hops));
}

/** The same in every run. */
export function randomTimes(count, duration) {
  let chance = 12345;
  return Array.from({ length: count }, () => {
    chance = (Math.imul(chance, 1664525) + 1013904223) >>> 0;
    return (chance / 2 ** 32) * duration;
  });
}
