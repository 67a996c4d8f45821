/**
 * Ringside in a frame of a course page: the published example with the origins of this test, served by
 * this machine under two names, of which the frame's address names one.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test, type FrameLocator, type Page } from '@playwright/test';

const example = readFileSync(join(import.meta.dirname, '../../embedding/example.html'), 'utf8');

let server: Server;
let port: number;
let body: string;

test.beforeAll(async () => {
  server = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
test.afterAll(() => server.close());

/** Opens the example under one of its names; the frame's address names the first. */
async function course(page: Page, baseURL = '', name = '127.0.0.1'): Promise<FrameLocator> {
  body = example
    .replaceAll('https://ringside.example', new URL(baseURL).origin)
    .replaceAll('https://course.example', `http://127.0.0.1:${port}`);
  await page.goto(`http://${name}:${port}/`);
  const frame = page.frameLocator('iframe');
  await expect(frame.locator('[data-idle]')).toBeVisible();
  return frame;
}

const send = (page: Page, order: object) =>
  page.evaluate((message) => {
    const { contentWindow } = document.querySelector('iframe') ?? {};
    contentWindow?.postMessage({ ringside: 1, ...message }, '*');
  }, order);

test('a frame has the stage, its caption and the transport, and no shelf, header or panels', async ({
  page,
  baseURL,
}) => {
  const frame = await course(page, baseURL);
  await expect(frame.getByRole('region', { name: 'Transport' })).toBeVisible();
  await expect(frame.getByRole('region', { name: 'Stage' })).toBeVisible();
  await expect(frame.getByText('recorded', { exact: true })).toBeVisible();
  await expect(frame.getByRole('banner')).toBeHidden();
  await expect(frame.getByText('What happens here')).toBeHidden();
  await expect(frame.getByRole('link', { name: 'Open in Ringside' })).toHaveAttribute(
    'href',
    /^\/#v=1&trace=udp-fragments&at=stage/,
  );
});

test('the page around it plays and seeks, and hears the state', async ({ page, baseURL }) => {
  const frame = await course(page, baseURL);
  const output = page.locator('output');
  await expect(output).toHaveText(/ ms, UDP datagrams in six fragments$/);
  await page.getByRole('button', { name: 'Play' }).click();
  await expect(frame.getByRole('button', { name: 'Pause' })).toBeVisible();
  await send(page, { do: 'pause' });
  await expect(frame.locator('[data-idle]')).toBeVisible();
  await send(page, { do: 'seek', time: 12_000_000 });
  await expect(output).toHaveText(/^12\.000 ms/);
  await send(page, { do: 'show', view: 'queues' });
  await expect(frame.getByRole('tab', { name: 'Queues' })).toHaveAttribute('aria-selected', 'true');
  await send(page, { do: 'seek', time: -1 });
  await expect(output).toHaveText(/^time: /);
});

test('a page of another origin is neither heard nor told', async ({ page, baseURL }) => {
  const frame = await course(page, baseURL, 'localhost');
  const moment = frame.getByRole('region', { name: 'Transport' }).getByRole('time');
  const before = (await moment.textContent()) ?? '';
  await send(page, { do: 'seek', time: 12_000_000 });
  // The frame's own seek comes after the message: what it shows then is its own.
  await frame.getByRole('slider', { name: 'Time' }).press('Home');
  await expect(moment).not.toHaveText(before);
  await expect(moment).toHaveText(/^0/);
  await expect(page.locator('output')).toBeEmpty();
});

test('in a frame keys lead nowhere else, and a lesson has its text', async ({ page, baseURL }) => {
  await page.goto(`${baseURL ?? ''}?embed=nowhere#v=1&at=stage&lesson=one-datagram.1`);
  await expect(page.locator('[data-idle]')).toBeVisible();
  await expect(page.getByText('does not name the page that may speak')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'In how many frames?' })).toBeVisible();
  await page.keyboard.press('t');
  await expect(page.getByRole('log', { name: 'What happened last' })).toContainText(
    'This is a frame in another page',
  );
  await expect(page.getByRole('region', { name: 'Transport' })).toBeVisible();
});
