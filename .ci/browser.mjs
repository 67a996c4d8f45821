/**
 * Finds a Chromium for the browser tests, or gets one, and notes its path in
 * `.cache/browser.json` for `playwright.config.ts`. A candidate counts only when it starts.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError, aptInstall, ask, cache, run, say } from './shell.mjs';

const note = join(cache, 'browser.json');
// The shell has no windows to draw, and the tests take a third less of the processor with it.
const names = [
  'chromium-headless-shell',
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
];
const places = [
  ...['/usr/bin', '/usr/local/bin', '/snap/bin'].flatMap((folder) =>
    names.map((name) => join(folder, name)),
  ),
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export async function setUpBrowser() {
  if (existsSync(note) && existsSync(JSON.parse(readFileSync(note, 'utf8')).executablePath)) return;
  const { chromium } = await import('@playwright/test');
  const own = chromium.executablePath();
  // What is already there comes first: a download that a machine does not allow takes minutes to fail.
  const executablePath = [own, ...places].find(starts) ?? download(own) ?? install();
  if (executablePath === undefined) {
    throw new SetupError(
      'the browser tests need Chromium, and it could neither be found nor fetched. ' +
        'Install Chromium or Google Chrome from your system, then run this again.',
    );
  }
  mkdirSync(cache, { recursive: true });
  writeFileSync(note, JSON.stringify({ executablePath }));
  say(`the browser tests use ${executablePath}`);
}

function download(own) {
  say('fetching Chromium for the browser tests');
  try {
    run('npx', ['playwright', 'install', '--no-shell', 'chromium'], { timeout: 300_000 });
  } catch (error) {
    say(`that did not work: ${error.message}`);
  }
  return starts(own) ? own : undefined;
}

function install() {
  const isThere = aptInstall(['chromium-headless-shell']) || aptInstall(['chromium']);
  return isThere ? places.find(starts) : undefined;
}

function starts(path) {
  return existsSync(path) && ask(path, ['--version']) !== undefined;
}
