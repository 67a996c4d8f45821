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

async function partsOf(responses) {
  const parts = await Promise.all(
    responses.map(async (response) => ({
      name: new URL(response.url()).pathname.replace(/^\/(?:assets\/)?/, '') || 'index.html',
      bytes: gzipSync(await response.body()).length,
    })),
  );
  return parts.sort((one, other) => other.bytes - one.bytes);
}

/** Plays the film and seeks, with the trace opened through the app's own file input. */
export function measureStage(outDir, input, film, speeds) {
  return withPage(outDir, async (page, address) => {
    await page.addInitScript(watchPainting);
    await open(page, address);
    await page.getByLabel('Trace files').setInputFiles(input.path);
    const slider = page.getByRole('slider', { name: 'Time', exact: true });
    await slider.waitFor();
    await idle(page);
    await seek(page, film.from);
    await chooseSpeed(page, speeds.indexOf(film.speed), speeds.length);
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
    const still = await watchFrames(page, session, 2);
    await page.keyboard.press('k');
    const playing = await watchFrames(page, session, FILM_SECONDS);
    await page.keyboard.press('k');
    await idle(page);
    const seeks = [];
    for (const share of randomTimes(SEEKS, 1)) seeks.push(await seek(page, share));
    return { still, playing, seeks };
  });
}

async function open(page, address) {
  await page.goto(address);
  await idle(page);
}

const idle = (page) => page.locator('[data-idle]').waitFor();

/** By the keys: down to the lowest rung of the ladder, and up from there. */
async function chooseSpeed(page, rung, rungs) {
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

/** Milliseconds from moving the slider until the picture of that time is on its way to the screen. */
function seek(page, share) {
  return page.evaluate(
    (to) =>
      new Promise((resolve) => {
        const slider = document.querySelector('input[type=range][aria-label=Time]');
        const app = document.querySelector('.app');
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
        slider.dispatchEvent(new Event('input', { bubbles: true }));
      }),
    share,
  );
}

const share = (values, isSo) => values.filter(isSo).length / Math.max(values.length, 1);
