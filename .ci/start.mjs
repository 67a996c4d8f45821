/**
 * `npm start`: set-up, a production build, and a server on this machine that only this
 * machine can reach. Takes the next free port when the usual one is taken.
 */
import { setUp } from './setup.mjs';
import { entry, say } from './shell.mjs';

await entry(async () => {
  await setUp(['npm', 'words', 'rust', 'wasm']);
  const { build, preview } = await import('vite');
  say('building the page');
  await build({ logLevel: 'warn' });
  const server = await preview({ preview: { host: 'localhost', port: 4173 }, logLevel: 'warn' });
  say(`open ${server.resolvedUrls.local[0]} in a browser; Ctrl+C ends the server`);
});
