/**
 * `npm run board`: runs every experiment of the scoreboard and holds it against what is pinned,
 * whether or not the model has changed since; `npm run board -- pin` pins what comes out.
 */
import { setUp } from './setup.mjs';
import { entry, run, wasmCore } from './shell.mjs';

await entry(async () => {
  await setUp(['rust']);
  const asked = process.argv[2] === 'pin' ? { UPDATE_EXPECT: '1' } : { WHOLE_BOARD: '1' };
  run('cargo', ['test', '--package', 'ringside-cli', '--test', 'all', 'board::'], {
    cwd: wasmCore,
    env: { ...process.env, ...asked },
  });
});
