/**
 * `npm run sensitivity`: how far the scoreboard moves when each guessed or fitted parameter of the
 * model is a tenth larger, into `wasm-core/tests/sensitivity.json`, which the Papers page shows with the day on which it was
 * made. Takes hours; a file of the model's data is one job.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { setUp } from './setup.mjs';
import { SetupError, entry, listen, run, say, wasmCore } from './shell.mjs';

const PERCENT = 10;

await entry(async () => {
  await setUp(['rust']);
  run('cargo', ['build', '--release', '--package', 'ringside-cli', '--bin', 'ringside'], {
    cwd: wasmCore,
  });
  const target = process.env['CARGO_TARGET_DIR'] ?? join(wasmCore, 'target');
  const ringside = async (...args) => {
    const { status, output } = await listen(join(target, 'release', 'ringside'), args);
    if (status !== 0) throw new SetupError(`ringside ${args.join(' ')}:\n${output}`);
    return output;
  };
  const parameters = JSON.parse(await ringside('parameters', '--json'));
  const files = [...new Set(parameters.map(({ file }) => file))];
  const rows = new Map();
  const waiting = [...files];
  const worker = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const lines = await ringside('parameters', '--json', '--moved', String(PERCENT), file);
      const found = lines.split('\n').filter((line) => line !== '');
      rows.set(file, found);
      say(`${file}: ${found.length} parameters, ${waiting.length} files to go`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  const lines = files.flatMap((file) => rows.get(file) ?? []);
  const table = join(wasmCore, 'tests', 'sensitivity.json');
  const made = new Date().toISOString().slice(0, 10);
  writeFileSync(
    table,
    `{ "percent": ${PERCENT}, "made": "${made}", "rows": [\n${lines.join(',\n')}\n] }\n`,
  );
  say(`the table is in ${table}`);
});
