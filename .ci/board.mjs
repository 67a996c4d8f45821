/**
 * `npm run board`: runs every experiment of the scoreboard and holds it against what is pinned,
 * whether or not the model has changed since; `npm run board -- pin` pins what comes out.
 * `npm run board -- begin` pins how all its runs begin (`wasm-core/tests/board.rs`).
 */
import { setUp } from './setup.mjs';
import { SetupError, entry, run, wasmCore } from './shell.mjs';

const ASKED = {
  whole: { WHOLE_BOARD: '1' },
  pin: { UPDATE_EXPECT: '1' },
  begin: { PIN_BEGINNINGS: '1', UPDATE_EXPECT: '1' },
};

await entry(async () => {
  await setUp(['rust']);
  const asked = ASKED[process.argv[2] ?? 'whole'];
  if (asked === undefined) throw new SetupError(`say one of ${Object.keys(ASKED).join(', ')}`);
  run('cargo', ['test', '--package', 'ringside-cli', '--test', 'all', 'board::'], {
    cwd: wasmCore,
    env: { ...process.env, ...asked },
  });
});
