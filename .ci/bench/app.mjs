/**
 * The built app measured as a visitor meets it: what the first view loads, how evenly the
 * stage and the time line move while a film plays, and how soon a seek is to be seen.
 */
import { gzipSync } from 'node:zlib';
import { withPage } from './browser.mjs';
import { randomTimes } from './core.mjs';

const FILM_SECONDS = 6;
const SEEKS = 60;
/** One picture of a screen that shows 60 a second. A late one takes two or more of these. */
const FRAME_MS = 1000 / 60;

/** What is loaded before a trace is opened, and what the first trace adds; compressed, largest first. */
export function measureFirstView(outDir, trace) {
  return withPage(outDir, async (page, address) => {
    const responses = [];
    page.context().on('response', (response) => responses.push(response));
    await open(page, address);
    const before = responses.splice(0);
    await page.getByLabel('Trace files').setInputFiles(trace);
    await page.getByRole('slider', { name: 'Time', exact: true }).waitFor();
    await idle(page);
    return { first: await partsOf(before), later: await partsOf(responses) };
  });
}

/** The devices of Lighthouse: a desktop, and a phone whose CPU is four times as slow. */
const DEVICES = {
  desktop: { viewport: { width: 1350, height: 940 }, slowdown: 1 },
  phone: { viewport: { width: 412, height: 823 }, slowdown: 4 },
};

/**
 * How a link opens on a device, until nothing is asked any more: milliseconds to the largest
 * text, milliseconds for which tasks of over 50 ms blocked the page after its first text, and the
 * sum of the shifts of its layout (the worst window of shifts is at most that).
 */
export function measureOpening(outDir, link, device) {
  const { viewport, slowdown } = DEVICES[device];
  return withPage(outDir, async (page, address) => {
    await page.setViewportSize(viewport);
    const client = await page.context().newCDPSession(page);
    await client.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.addInitScript(watchOpening);
    await page.goto(address + link);
    await idle(page);
    const { largest, shift, tasks } = await page.evaluate(() => window.opening);
    const [{ startTime: first }] = await page.evaluate(() =>
      performance.getEntriesByName('first-contentful-paint').map((entry) => entry.toJSON()),
    );
    const late = tasks.filter(({ startTime }) => startTime > first);
    const blocked = late.reduce((sum, { duration }) => sum + duration - 50, 0);
    return { largest, shift, blocked };
  });
}

/** In the page, before anything of it. */
function watchOpening() {
  const found = (window.opening = { largest: 0, shift: 0, tasks: [] });
  const watch = (type, meet) =>
    new PerformanceObserver((list) => list.getEntries().forEach(meet)).observe({
      type,
      buffered: true,
    });
  watch('largest-contentful-paint', ({ startTime }) => (found.largest = startTime));
  watch('longtask', (entry) => found.tasks.push(entry.toJSON()));
  watch('layout-shift', ({ value, hadRecentInput }) => (found.shift += hadRecentInput ? 0 : value));
}

async function partsOf(responses) {
  const parts = await Promise.all(
    responses.map(async (response) => ({
      name: new URL(response.url()).pathname.replace(/^\/(?:assets\/)?/, '') || 'index.html',
      bytes: gzipSync(await response.body()).length,
    })),
  );
  return parts.sort((one, other) => other.bytes - one.bytes);
}

/** The views of the stage, in the order in which a key turns them; the first is there on opening. */
const VIEWS = ['way', 'queues', 'caches', 'scheduler', 'locks'];
/** What is to be seen at once, and its key. */
const ANSWERS = { step: '.', view: 'v', finding: 'n' };
/** A key by which nothing is painted for so many frames changed nothing. */
const NO_ANSWER = 120;

/**
 * Plays the film and seeks, with the trace opened through the app's own file input; then plays it
 * in each view while a packet is followed, and asks for steps, views and findings.
 */
export function measureStage(outDir, input, film, speeds) {
  return withPage(outDir, async (page, address) => {
    await page.addInitScript(watchPainting);
    const session = await openRun(page, address, input);
    await seek(page, film.from);
    await chooseSpeed(page, speeds.indexOf(film.speed), speeds.length);
    const still = await watchFrames(page, session, 2);
    const playing = await play(page, session);
    const seeks = await seekTo(page, randomTimes(SEEKS, 1));
    await seek(page, film.from);
    await page.keyboard.press('Shift+ArrowRight');
    await idle(page);
    await page.keyboard.press('f');
    await idle(page);
    const following = {};
    for (const view of VIEWS) {
      await seek(page, film.from);
      following[view] = await play(page, session);
      await page.keyboard.press('v');
    }
    const answers = {};
    for (const [what, key] of Object.entries(ANSWERS)) answers[what] = await answersTo(page, key);
    return { still, playing, seeks, following, answers };
  });
}

/** Opens, plays and scrubs a run that is large, and hands out the tasks that blocked the page. */
export function measureLarge(outDir, input) {
  return withPage(outDir, async (page, address) => {
    await page.addInitScript(watchPainting);
    await page.addInitScript(watchOpening);
    const session = await openRun(page, address, input);
    const opening = await page.evaluate(() => window.opening.tasks);
    const playing = await play(page, session);
    const before = await page.evaluate(() => window.opening.tasks.length);
    const seeks = await seekTo(page, randomTimes(SEEKS, 1));
    const scrubbing = await page.evaluate((from) => window.opening.tasks.slice(from), before);
    return { opening, playing, seeks, scrubbing };
  });
}

/** Plays a run of the simulator alone, then the same beside another: what a frame takes of either. */
export function measureBeside(outDir, [one, other]) {
  return withPage(outDir, async (page, address) => {
    await page.addInitScript(watchPainting);
    const view = new URLSearchParams({ scenario: JSON.stringify(one), at: 'stage' });
    const frames = {};
    for (const what of ['alone', 'beside']) {
      if (what === 'beside') view.set('beside', JSON.stringify(other));
      await page.goto('about:blank');
      await open(page, `${address}#v=1&${view}`);
      await page
        .getByRole('application')
        .nth(what === 'beside' ? 1 : 0)
        .waitFor();
      await idle(page);
      const session = await page.context().newCDPSession(page);
      await session.send('Performance.enable');
      frames[what] = await play(page, session);
    }
    return frames;
  });
}

async function openRun(page, address, input) {
  await open(page, address);
  await page.getByLabel('Trace files').setInputFiles(input.path);
  await page.getByRole('slider', { name: 'Time', exact: true }).waitFor();
  await idle(page);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  return session;
}

async function play(page, session) {
  await page.keyboard.press('k');
  const seen = await watchFrames(page, session, FILM_SECONDS);
  await page.keyboard.press('k');
  await idle(page);
  return seen;
}

/**
 * What the page itself has to do with a run: how many nodes it has when the packets and their filters
 * are open, and how long it works for each picture while the film plays, in milliseconds.
 */
export function measurePage(outDir, trace) {
  return withPage(outDir, async (page, address) => {
    await open(page, address);
    await page.getByLabel('Trace files').setInputFiles(trace);
    await page.getByRole('slider', { name: 'Time', exact: true }).waitFor();
    await idle(page);
    // Clicked where it stands: what covers it is no matter of how much there is.
    await page.getByRole('tab', { name: 'Packets', exact: true }).dispatchEvent('click');
    await page.getByRole('tab', { name: 'All packets' }).dispatchEvent('click');
    await page.getByText('Filters', { exact: true }).dispatchEvent('click');
    await idle(page);
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    await page.keyboard.press('k');
    const { workMs } = await watchFrames(page, session, FILM_SECONDS / 2);
    return { nodes, workMs };
  });
}

/** Milliseconds from a key to the first picture of what it asked for, each time that it changed something. */
async function answersTo(page, key) {
  const taken = [];
  for (let time = 0; time < SEEKS / 2; time += 1) {
    await idle(page);
    await page.evaluate(watchAnswer, NO_ANSWER);
    await page.keyboard.press(key);
    taken.push(await page.evaluate(() => window.answer));
    // In told time a finding plays.
    const pause = page.getByRole('button', { name: 'Pause' });
    if (await pause.isVisible()) await pause.click();
  }
  return taken.filter((ms) => ms !== null);

  /** Runs in the page: the stage was painted since the key, and shows the moment that is asked for. */
  function watchAnswer(most) {
    window.answer = new Promise((resolve) => {
      addEventListener('keydown', begin, { capture: true, once: true });
      function begin() {
        const [began, paintings] = [performance.now(), globalThis.paintings];
        let frames = 0;
        requestAnimationFrame(look);
        function look() {
          const isShown = document.querySelector('.app').hasAttribute('data-shown');
          if (!isShown || globalThis.paintings === paintings) {
            frames += 1;
            return frames < most ? requestAnimationFrame(look) : resolve(null);
          }
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now() - began);
          return port2.postMessage(undefined);
        }
      }
    });
  }
}

async function open(page, address) {
  await page.goto(address);
  await idle(page);
}

const idle = (page) => page.locator('[data-idle]').waitFor();

/** In true time, by the keys: down to the lowest rung of the ladder, and up from there. */
async function chooseSpeed(page, rung, rungs) {
  await page.getByText('True time', { exact: true }).click();
  await page.locator('body').click({ position: { x: 1, y: 1 } });
  for (let press = 0; press < rungs; press += 1) await page.keyboard.press('-');
  for (let press = 0; press < rung; press += 1) await page.keyboard.press('+');
}

/** Runs in the page before the app: a clearing of a canvas is where the stage paints anew. */
function watchPainting() {
  globalThis.paintings = 0;
  const { clearRect } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.clearRect = function (...args) {
    globalThis.paintings += 1;
    return clearRect.apply(this, args);
  };
}

async function watchFrames(page, session, seconds) {
  const busy = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value;
  };
  const before = await busy();
  const seen = await page.evaluate(watch, seconds * 1000);
  const workMs = ((await busy()) - before) * 1000;
  return {
    frames: seen.intervals.length,
    intervals: seen.intervals,
    inTime: share(seen.intervals, (interval) => interval < 1.5 * FRAME_MS),
    painted: share(seen.painted, Boolean),
    longTasks: seen.longTasks,
    workMs: workMs / seen.intervals.length,
  };

  /** Runs in the page: the time between pictures, and whether the stage was painted for each. */
  function watch(lengthMs) {
    return new Promise((resolve) => {
      const [intervals, painted, longTasks] = [[], [], []];
      const observer = new PerformanceObserver((list) =>
        longTasks.push(...list.getEntries().map(({ duration }) => duration)),
      );
      observer.observe({ type: 'longtask' });
      let [began, last, paintings] = [undefined, undefined, globalThis.paintings];
      requestAnimationFrame(beat);
      function beat(now) {
        if (last !== undefined) {
          intervals.push(now - last);
          painted.push(globalThis.paintings > paintings);
        }
        paintings = globalThis.paintings;
        last = now;
        began ??= now;
        if (now - began < lengthMs) requestAnimationFrame(beat);
        else {
          observer.disconnect();
          resolve({ intervals, painted, longTasks });
        }
      }
    });
  }
}

/** The times that the seeks to these shares of the run took; a slider that stood there already gives none. */
async function seekTo(page, shares) {
  const taken = [];
  for (const share of shares) taken.push(await seek(page, share));
  return taken.filter((ms) => ms !== null);
}

/**
 * Milliseconds from moving the slider until the picture of that time is on its way to the screen;
 * null where it stands there already.
 */
function seek(page, share) {
  return page.evaluate(
    (to) =>
      new Promise((resolve) => {
        const slider = document.querySelector('input[type=range][aria-label=Time]');
        const app = document.querySelector('.app');
        if (slider.valueAsNumber === to * Number(slider.max)) return resolve(null);
        let wasBusy = false;
        const observer = new MutationObserver(() => {
          if (!app.hasAttribute('data-shown')) wasBusy = true;
          else if (wasBusy) {
            observer.disconnect();
            // The message comes after the frame's callbacks, layout and painting.
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.now() - began);
            requestAnimationFrame(() => port2.postMessage(undefined));
          }
        });
        observer.observe(app, { attributes: true, attributeFilter: ['data-shown'] });
        const began = performance.now();
        slider.valueAsNumber = to * Number(slider.max);
        return slider.dispatchEvent(new Event('input', { bubbles: true }));
      }),
    share,
  );
}

const share = (values, isSo) => values.filter(isSo).length / Math.max(values.length, 1);
