/**
 * `npm run bench`: how fast Ringside is here, beside what it is meant to be. Prints tables and
 * fails for no number: a busy or slow machine shows in the ratios of one run, which are what
 * to compare. `npm run bench -- import memory growth replay findings stage beside large view sim lab told ns3 perfetto` measures only what is named.
 */
import {
  measureFirstView,
  measureLarge,
  measureOpening,
  measurePage,
  measureStage,
} from './bench/app.mjs';
import { besideRows } from './bench/beside.mjs';
import { buildPage } from './bench/browser.mjs';
import {
  SEEKS,
  buildCorePage,
  fastest,
  measureFindings,
  measureImport,
  measureNative,
  measureReplay,
  measureSimulating,
} from './bench/core.mjs';
import { inputOf, pathOf } from './bench/input.mjs';
import { labRows } from './bench/lab.mjs';
import { growthInputs, powerOf, shownInputs } from './bench/growth.mjs';
import { memoryRows } from './bench/memory.mjs';
import { measureBoth } from './bench/ns3.mjs';
import { buildSpeed, oneFlow, simulateNatively } from './bench/simulator.mjs';
import { toldRows } from './bench/told.mjs';
import { fact, mean, printTable, quantile, row } from './bench/table.mjs';
import { besidePerfetto } from './bench/beside-perfetto.mjs';
import { perfettoPage, switchRows } from './bench/perfetto.mjs';
import { setUp } from './setup.mjs';
import { SetupError, entry, say } from './shell.mjs';

const PAGES = [
  ...['import', 'memory', 'growth', 'replay', 'findings', 'stage', 'beside', 'large', 'view'],
  ...['sim', 'lab'],
];
const PARTS = [...PAGES, 'told', 'ns3', 'perfetto'];
const REPEATS = 3;
/** The rungs of `web/session/speed.ts`, and how much film a packet that ended is shown. */
const SPEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 9]
  .flatMap((power) => [1, 2, 5].map((step) => step * 10 ** power))
  .concat(1e10);
const LINGER_SECONDS = 0.5;
const IN_FLIGHT = 200;
const SMALL = 'tcp-gro-on';

const megabytes = (bytes) => Math.round(bytes / 1e6);
const counted = (count) => count.toLocaleString('en');

await entry(async () => {
  const wanted = process.argv.slice(2);
  const unknown = wanted.filter((name) => !PARTS.includes(name));
  if (unknown.length > 0) throw new SetupError(`no such part of the bench: ${unknown.join(', ')}`);
  const isWanted = (name) => wanted.length === 0 || wanted.includes(name);

  if (isWanted('ns3')) await ns3Table();
  if (isWanted('told')) await toldTable();
  if (isWanted('perfetto')) await perfettoTable();
  if (!PAGES.some(isWanted)) return;

  await setUp();
  say('building the pages');
  const [core, app] = [await buildCorePage(), await buildPage('app')];
  if (isWanted('import')) await importTable(core);
  if (isWanted('memory')) {
    printTable('What opening a file takes of memory', await memoryRows(core, SMALL));
  }
  if (isWanted('growth')) {
    await growthTable(core);
    await shownTable(app);
  }
  if (isWanted('replay') || isWanted('stage')) {
    const million = inputOf('udp-fragments-loss', { lines: 1_000_000, abreast: 2 });
    say('seeking in a run of a million events');
    const replay = await measureReplay(core, million, SPEEDS, LINGER_SECONDS, IN_FLIGHT);
    if (isWanted('replay')) replayTable(million, replay);
    if (isWanted('stage')) await stageTable(app, million, replay.film);
  }
  if (isWanted('findings')) await findingsTable(core);
  if (isWanted('beside')) {
    say('playing two runs beside each other');
    printTable('Two runs side by side, without a graphics card', await besideRows(app));
  }
  if (isWanted('large')) await largeTable(app);
  if (isWanted('view')) await viewTable(app);
  if (isWanted('lab')) {
    say('changing each scenario of the shelf in the Lab');
    printTable('From a change to the card', await labRows(app));
  }
  if (isWanted('sim')) await simulatorTable(core);
});

/** How soon and how much moves in the film of each run, beside what played before. */
async function toldTable() {
  await setUp(['rust']);
  say('telling the shelf');
  printTable('The shelf as told film: before → now', toldRows(buildSpeed()));
}

/** Whether another program reads what we write as ftrace text: every switch of the scheduler is counted. */
async function perfettoTable() {
  const page = perfettoPage();
  if (page === undefined) {
    say('skipped Perfetto: PERFETTO_UI names no folder with its page (see .ci/bench/perfetto.mjs)');
    return;
  }
  await setUp(['rust', 'browser']);
  say('opening what we write in Perfetto');
  printTable('Switches in ftrace text of ours that Perfetto counts', await switchRows(page));
  const beside = await besidePerfetto(page, SMALL);
  printTable('The same ftrace text in Perfetto’s page and in ours', beside);
}

/** What happened in a run of a million events, asked in the worker and natively. */
async function findingsTable(core) {
  const million = inputOf(SMALL, { lines: 1_000_000 });
  say(`finding what happened in a run of a million lines, ${REPEATS} times`);
  const inWorker = await measureFindings(core, million, REPEATS);
  const native = measureNative(million, REPEATS, { by: (one) => one.finding });
  printTable(`What happened in a run of ${counted(inWorker.events)} events`, [
    row('found in the worker', inWorker.ms, 'ms', { atMost: 500 }),
    row('  natively', native.finding * 1000, 'ms'),
    row('  beside the import', (inWorker.ms / inWorker.openMs) * 100, '%'),
  ]);
}

/** What another simulator makes of the same work, beside ours. */
async function ns3Table() {
  await setUp(['rust']);
  say(`one TCP bulk transfer in ns-3 and in our simulator, ${REPEATS} times each`);
  const { theirs, ours } = measureBoth(REPEATS);
  const rows = (name, { missing, ...found }) =>
    missing === undefined
      ? [row(`${name}: data packets`, found.packets, '/s'), row('  events', found.events, '/s')]
      : [[name, missing, '', '']];
  const both = theirs.missing === undefined && ours.missing === undefined;
  const times = (what) => ours[what] / theirs[what];
  printTable(
    'One TCP flow, 1 Gbit/s, 50 µs, segments of 1448 bytes, nothing recorded, for each second of wall time',
    [
      ...rows(`ns-3 ${theirs.version ?? ''}`.trim(), theirs),
      ...rows('ours, with both hosts modelled', ours),
      ...(both
        ? [
            row('data packets, ours beside ns-3', times('packets'), '×', {
              atLeast: 20,
            }),
            row('  events', times('events'), '×'),
          ]
        : [['ours beside ns-3', 'not compared: one of them is missing', '', '']]),
    ],
  );
}

/** What the simulator makes of one flow, natively and in the worker, side by side. */
async function simulatorTable(core) {
  say(`simulating one flow, ${REPEATS} times natively and in a worker`);
  const command = buildSpeed();
  const runs = Array.from({ length: REPEATS }, () => simulateNatively(command));
  const native = fastest(runs, (one) => -one.sim_events_per_second);
  const recorded = fastest(runs, (one) => -one.sim_recorded_events_per_second);
  const duration = { duration_us: native.sim_seconds * 1e6 };
  const recordedDuration = { duration_us: Math.round(native.run_seconds * 1e6) };
  const plainInWorker = await measureSimulating(
    core,
    { ...oneFlow(), ...duration },
    false,
    REPEATS,
  );
  const recordedInWorker = await measureSimulating(
    core,
    { ...oneFlow(), ...recordedDuration },
    true,
    REPEATS,
  );
  const rate = ({ events, ms }) => (events / ms) * 1000;
  printTable(
    'One TCP flow between two hosts, simulated: events of the engine for each second of wall time',
    [
      row('native, nothing recorded', native.sim_events_per_second, '/s', { atLeast: 10e6 }),
      row('  with a recording', recorded.sim_recorded_events_per_second, '/s'),
      row(
        '  beside nothing recorded',
        recorded.sim_recorded_events_per_second / native.sim_events_per_second,
        '×',
        { atLeast: 0.5 },
      ),
      row('in the worker, nothing recorded', rate(plainInWorker), '/s', { atLeast: 6e6 }),
      row('  with a recording', rate(recordedInWorker), '/s'),
      row(
        "the worker's time beside native",
        native.sim_events_per_second / rate(plainInWorker),
        '×',
        { atMost: 1.6 },
      ),
      row(
        `a run of ${counted(native.run_events)} events in memory`,
        native.run_bytes_per_event,
        'B an event',
        { atMost: 48 },
      ),
    ],
  );
}

async function importTable(core) {
  const input = inputOf(SMALL, { bytes: 100e6 });
  say(`importing ${megabytes(input.bytes)} MB, ${REPEATS} times natively and in a worker`);
  const native = measureNative(input, REPEATS);
  const wasm = await measureImport(core, input, REPEATS);
  const { total, ...kinds } = wasm.ledger;
  const accounted = Object.values(kinds).reduce((sum, count) => sum + count, 0);
  const rate = (seconds) => input.bytes / 1e6 / seconds;
  const seconds = wasm.openMs / 1000;
  const inMemory = (bytes) => bytes / input.bytes;
  printTable(
    `Import of ${input.capture} repeated: ${megabytes(input.bytes)} MB, ${counted(input.lines)} lines, ` +
      `${counted(wasm.events)} events, ${counted(wasm.packets)} packets`,
    [
      row('in the worker, until everything can be asked', rate(seconds), 'MB/s', { atLeast: 60 }),
      row('', total / seconds, 'lines/s', { atLeast: 400_000 }),
      row('  reading alone, without journeys and replay', rate(wasm.readMs / 1000), 'MB/s'),
      row('native, until everything can be asked', rate(native.opening), 'MB/s', { atLeast: 120 }),
      row('  reading alone', rate(native.importing), 'MB/s'),
      row('native beside the worker', seconds / native.opening, '×', { atLeast: 2 }),
      row('lines decoded and counted by the same worker', rate(wasm.countMs / 1000), 'MB/s'),
      row('  an import takes of that', wasm.openMs / wasm.countMs, '×'),
      fact(
        'lines accounted for',
        `${counted(accounted)} of ${counted(input.lines)}`,
        accounted === total && total === input.lines,
      ),
      fact(
        '  understood or known and not needed',
        counted(kinds.understood + kinds.skipped),
        kinds.understood + kinds.skipped === input.lines,
      ),
      row('peak memory of the module', inMemory(wasm.memoryWhenOpen), '× file', { atMost: 3 }),
      row('  when it was read', inMemory(wasm.memoryWhenRead), '× file'),
      row('  before', inMemory(wasm.memoryAtStart), '× file'),
    ],
  );
}

/** Whether any shape of input takes more than n log n. */
async function growthTable(core) {
  const rows = [];
  for (const { name, inputs } of growthInputs()) {
    say(`opening ${name}`);
    const taken = [];
    for (const input of inputs) taken.push((await measureImport(core, input, 1)).openMs);
    const [few, many] = inputs.map(({ lines }) => counted(lines));
    rows.push(
      row(`${name}: ${few} lines`, taken[0], 'ms'),
      row(`  ${many} lines`, taken[1], 'ms'),
      row('  grows as the size to the power', powerOf(taken), '', { atMost: 1.3 }),
    );
  }
  printTable('How the time to open grows', rows);
}

/** How the nodes of the page and its work for a picture grow with what a run has. */
async function shownTable(app) {
  const rows = [];
  for (const { name, inputs } of shownInputs()) {
    say(`looking at ${name}`);
    const seen = [];
    for (const { path } of inputs) seen.push(await measurePage(app, path));
    const [few, many] = inputs.map(({ lines }) => counted(lines));
    for (const [what, unit] of [
      ['nodes', 'nodes'],
      ['workMs', 'ms a picture'],
    ]) {
      const values = seen.map((one) => one[what]);
      rows.push(
        row(`${name}: ${few}`, values[0], unit),
        row(`  ${many}`, values[1], unit),
        row('  grows as the size to the power', powerOf(values), '', { atMost: 1.3 }),
      );
    }
  }
  printTable('How the work of the page grows', rows);
}

function replayTable(input, { events, inWorker, roundTrips }) {
  const { frames } = measureNative(input, 1, { seeks: SEEKS });
  const native = frames.map((seconds) => seconds * 1000);
  const rows = (name, taken) => [
    row(`${name}: mean`, mean(taken), 'ms'),
    row('  95 of 100 within', quantile(taken, 0.95), 'ms', { atMost: 16.7 }),
    row('  the slowest', Math.max(...taken), 'ms'),
  ];
  printTable(`Seeks to ${inWorker.length} random times in a run of ${counted(events)} events`, [
    ...rows('a frame asked for by the page, there and back', roundTrips),
    ...rows('in the worker', inWorker),
    ...rows('native', native),
  ]);
}

async function stageTable(app, input, film) {
  say('playing a film of it in the app');
  const { still, playing, seeks, following, answers } = await measureStage(
    app,
    input,
    film,
    SPEEDS,
  );
  const least = Math.min(...film.packets);
  printTable(
    `Stage and time line, ${least} to ${Math.max(...film.packets)} packets shown, ${Math.min(...film.hops)} to ` +
      `${Math.max(...film.hops)} hops for each second of film, ` +
      `${film.speed.toLocaleString('en')} ns in that second, without a graphics card`,
    [
      row('frames in time for 60 a second', playing.inTime * 100, '%', { atLeast: 95 }),
      row('  the same while nothing moves', still.inTime * 100, '%'),
      row('frames with a new picture of the stage', playing.painted * 100, '%'),
      row('between frames: mean', mean(playing.intervals), 'ms'),
      row('  95 of 100 within', quantile(playing.intervals, 0.95), 'ms'),
      row('  the longest', Math.max(...playing.intervals), 'ms'),
      row("the page's own work for a frame: mean", playing.workMs, 'ms', { atMost: 16.7 }),
      row('  while nothing moves', still.workMs, 'ms'),
      row(
        'tasks of more than 50 ms, together',
        playing.longTasks.reduce((a, b) => a + b, 0),
        'ms',
      ),
      ...seekRows(seeks),
    ],
  );
  printTable('The same film while a packet is followed, in each view', [
    ...Object.entries(following).flatMap(([view, seen]) => [
      row(`${view}: frames in time for 60 a second`, seen.inTime * 100, '%', { atLeast: 99 }),
      row("  the page's own work for a frame: mean", seen.workMs, 'ms', { atMost: 16.7 }),
    ]),
    ...Object.entries(answers).flatMap(([what, taken]) => [
      row(`a ${what} is painted: mean`, mean(taken), 'ms'),
      row('  95 of 100 within', quantile(taken, 0.95), 'ms', { atMost: 50 }),
    ]),
  ]);
}

/** Whether the page stays free while a run of ten million events is opened, played and scrubbed. */
async function largeTable(app) {
  const input = inputOf(SMALL, { lines: 10_000_000 });
  say(`opening ${megabytes(input.bytes)} MB in the app, playing and scrubbing`);
  const { opening, playing, seeks, scrubbing } = await measureLarge(app, input);
  const blocked = (name, durations) =>
    row(`the longest task while it ${name}`, Math.max(0, ...durations), 'ms', { atMost: 50 });
  const lengths = (tasks) => tasks.map(({ duration }) => duration);
  printTable(`${counted(input.lines)} lines, ${megabytes(input.bytes)} MB, in the app`, [
    blocked('opens', lengths(opening)),
    blocked('plays', playing.longTasks),
    blocked('is scrubbed', lengths(scrubbing)),
    row('frames in time for 60 a second', playing.inTime * 100, '%', { atLeast: 99 }),
    ...seekRows(seeks),
  ]);
}

function seekRows(seeks) {
  return [
    row('a seek is painted: mean', mean(seeks), 'ms'),
    row('  95 of 100 within', quantile(seeks, 0.95), 'ms', { atMost: 50 }),
    row('  the slowest', Math.max(...seeks), 'ms'),
  ];
}

async function viewTable(app) {
  const { first, later } = await measureFirstView(app, pathOf(SMALL));
  const sum = (parts) => parts.reduce((bytes, part) => bytes + part.bytes, 0) / 1000;
  const largest = (parts) =>
    parts.slice(0, 4).map((part) => row(`  ${part.name}`, part.bytes / 1000, 'kB'));
  printTable('What is loaded, compressed', [
    row('before a trace is opened', sum(first), 'kB', { atMost: 350 }),
    ...largest(first),
    row('with the first trace, besides its own bytes', sum(later), 'kB'),
    ...largest(later),
    row('both, were the core and all views loaded at once', sum([...first, ...later]), 'kB', {
      atMost: 350,
    }),
  ]);

  const links = { 'the start page': '', 'a link to a recording': `#v=1&trace=${SMALL}&at=stage` };
  const rows = [];
  for (const device of ['desktop', 'phone']) {
    for (const [name, link] of Object.entries(links)) {
      const found = await measureOpening(app, link, device);
      rows.push(
        row(`${name}, ${device}: largest text after`, found.largest, 'ms'),
        row('  blocked by long tasks', found.blocked, 'ms', { atMost: 200 }),
        row('  shift of the layout', found.shift, '', { atMost: 0.02 }),
      );
    }
  }
  printTable('How the page opens, without a network', rows);
}
