/**
 * The browser tests: the production build, served on a free port of this machine, in the
 * Chromium that set-up found (`npm run setup`).
 */
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';

const note = new URL('.cache/browser.json', import.meta.url);
if (!existsSync(note)) throw new Error('no browser is noted yet: run `npm run setup`');
const { executablePath } = JSON.parse(readFileSync(note, 'utf8')) as { executablePath: string };

// Workers read this file again and must see the same port: it is kept in the environment.
const port = (process.env['RINGSIDE_PORT'] ??= String(await freePort()));

export default defineConfig({
  testDir: 'web/e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: true,
  workers: Math.max(2, availableParallelism()),
  // A busy machine is no failure: a scenario may take seconds to run before what it shows is there.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  // Pictures have no text, so they are the same on every system.
  snapshotPathTemplate: '{testDir}/films/{arg}{ext}',
  reporter: [['list'], ['json', { outputFile: '.cache/playwright.json' }]],
  use: {
    baseURL: `http://localhost:${port}/`,
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath,
      args: [
        // Chromium refuses its sandbox to root, as in most containers.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        // A test's page lives for seconds: V8 compiles the core once and does not try to better it.
        '--js-flags=--liftoff-only',
      ],
    },
  },
  webServer: {
    command: `node_modules/.bin/vite preview --host localhost --strictPort --port ${port}`,
    url: `http://localhost:${port}/`,
  },
});

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, 'localhost', () => {
      const { port: found } = probe.address() as AddressInfo;
      probe.close(() => resolve(found));
    });
  });
}
