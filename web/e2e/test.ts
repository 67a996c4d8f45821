/**
 * The `test` that every spec uses. It hands out the app, and whatever a spec is about, it
 * fails when the page wrote an error to the console or asked anything of another origin.
 */
import { expect, test as base, type Page } from '@playwright/test';
import { Visualizer } from './visualizer.ts';

export { expect };

interface Fixtures {
  readonly app: Visualizer;
}

export const test = base.extend<Fixtures>({
  app: async ({ page, baseURL }, use) => {
    const complaints = listen(page, new URL(baseURL ?? '').host);
    await use(new Visualizer(page));
    expect(complaints, 'what the page should not have said or asked').toEqual([]);
  },
});

function listen(page: Page, home: string): readonly string[] {
  const complaints: string[] = [];
  const look = (url: string) => {
    const { protocol, host } = new URL(url);
    // A blob or data address is the page's own memory: it has no host.
    if (host !== home && protocol !== 'blob:' && protocol !== 'data:') {
      complaints.push(`asked another origin: ${url}`);
    }
  };
  page.on('console', (message) => {
    // The browser says so of itself, where a test has taken the network away.
    if (message.text().endsWith('net::ERR_INTERNET_DISCONNECTED')) return;
    if (message.type() === 'error') complaints.push(`console error: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  // The context sees what workers ask for, too.
  page.context().on('request', (request) => look(request.url()));
  page.on('websocket', (socket) => look(socket.url()));
  return complaints;
}
