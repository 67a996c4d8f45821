/**
 * `npm run sensitivity`: how far the scoreboard moves when each guessed or fitted parameter of the
 * model is a tenth larger, into `wasm-core/tests/sensitivity.json`, which the Papers page shows with the day on which each
 * row was measured. Takes hours; a file of the model's data is one job, and its rows are written when it is done, so that
 * only what is under way is lost where it ends early. `npm run sensitivity -- kernels/2.6.3` measures the parameters of the
 * files that are named, and leaves the other rows as they are.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
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
    const { status, output, printed } = await listen(join(target, 'release', 'ringside'), args);
    if (status !== 0) throw new SetupError(`ringside ${args.join(' ')}:\n${output}`);
    return printed;
  };
  const parameters = JSON.parse(await ringside('parameters', '--json'));
  const files = [...new Set(parameters.map(({ file }) => file))];
  const asked = process.argv.slice(2);
  const strange = asked.filter((file) => !files.includes(file));
  if (strange.length > 0)
    throw new SetupError(`no file of the model's data: ${strange.join(', ')}`);
  const table = join(wasmCore, 'tests', 'sensitivity.json');
  const { rows: before } = JSON.parse(readFileSync(table, 'utf8'));
  const rows = new Map(files.map((file) => [file, before.filter((row) => row.file === file)]));
  const waiting = asked.length > 0 ? asked : [...files];
  const write = () => {
    const lines = files.flatMap((file) => (rows.get(file) ?? []).map((row) => JSON.stringify(row)));
    // Beside its place first: a table that is cut off would lose all rows.
    const beside = `${table}.new`;
    writeFileSync(beside, `{ "percent": ${PERCENT}, "rows": [\n${lines.join(',\n')}\n] }\n`);
    renameSync(beside, table);
  };
  const failed = [];
  const on = new Date().toISOString().slice(0, 10);
  const worker = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      let found;
      try {
        const lines = await ringside('parameters', '--json', '--moved', String(PERCENT), file);
        found = lines.split('\n').filter((line) => line !== '');
        rows.set(
          file,
          found.map((line) => ({ ...JSON.parse(line), on })),
        );
      } catch (error) {
        // The others go on; this one's rows stay as they were.
        say(`${file}: ${error.message}`);
        failed.push(file);
        continue;
      }
      write();
      say(`${file}: ${found.length} parameters, ${waiting.length} files to go`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  say(`the table is in ${table}`);
  if (failed.length > 0) throw new SetupError(`not measured: ${failed.join(', ')}`);
});
