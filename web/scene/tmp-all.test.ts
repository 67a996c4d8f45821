import { test } from 'vitest';
import { frameOf, glossary, runOf, shapesOf, staged, viewAt } from './testing.ts';
import { entriesIn } from './scene.ts';
import { placePackets } from './packets.ts';
import { estimate } from './text.ts';
import { overlaps } from './callout.ts';
const QUEUES = [
  { kind: 'rx ring', label: 'eth0', max: 200, depth: 17, limit: 256 },
  { kind: 'receive queue', label: 'port 5001', unit: 'bytes', max: 90_000, depth: 4096, limit: 8192 },
  { kind: 'socket backlog', label: 'port 5001', unit: 'bytes', max: 9000, depth: 0, limit: 425_984 },
  { kind: 'reassembly', max: 6, depth: 3 },
  { kind: 'backlog', label: 'CPU 1', cpu: 1, max: 100, depth: 3, limit: 1000 },
  { kind: 'run queue', label: 'CPU 1', cpu: 1, max: 3, depth: 2, unit: 'tasks' },
];
const E = 0.01;
test('all', { timeout: 1e9 }, () => {
  let count = 0, bad = 0;
  for (const [w, h] of [[1280, 640], [1600, 900], [884, 478], [1900, 860]] as const) {
    const stage = staged(runOf([0,1,2,3], QUEUES), w, h);
    const seen = new Set<string>();
    const one = glossary.stations.filter((st) => { const s = stage.layout.slots.find((s) => s.column === 0 && s.name.split(', ').includes(st.name)); if (!s || seen.has(s.id)) return false; seen.add(s.id); return true; });
    if (w === 1280) console.log(one.map((o) => o.name).join());
    const where = new Map<string, number>();
    for (const at of one) for (const next of one) {
      if (at.direction !== next.direction && at.direction !== 'tx') continue;
      for (const [cpu, nextCpu] of [[0,0],[3,1]] as const) for (const parts of [1, 2, 17]) {
        let names: any;
        for (let share = 0.02; share < 0.985; share += 0.012) {
          const since = 10000 - 100 * share;
          const given = [{ packet: 0, at: at.name, next: next.name, since, until: since + 100, cpu, nextCpu, parts, bytes: parts * 1448 }];
          const frame = frameOf(10000, given, [], QUEUES);
          const view = viewAt(10000);
          const fly = (shapes: any) => shapes.filter((s: any) => s.kind === 'capsule').map((s: any) => ({ x: s.rect.x + E, y: s.rect.y + E, width: s.rect.width - 2 * E, height: s.rect.height - 2 * E }));
          const namesOf = () => shapesOf(stage, frame, {}).filter((s: any) => s.kind === 'label' && s.rect.y >= stage.layout.lanes[0]!.rect.y).map((s: any) => ({ ...s.rect, text: s.text }));
          names ??= namesOf();
          count++;
          const entries = entriesIn(stage, frame, view);
          const p = placePackets(frame, stage.run, stage.transport, stage.layout, entries, (t) => estimate(t, 12, true, false), view);
          for (const r of fly([...p.passing, ...p.standing, ...p.chosen])) if (overlaps(r, names) > 0) {
            const real = namesOf();
            if (overlaps(r, real) === 0) continue;
            bad++;
            const k = `${w} ${at.name}→${next.name} ${cpu}→${nextCpu} parts ${parts}: ${real.filter((n: any) => overlaps(r, [n])).map((n: any) => n.text)}`;
            if (!where.has(k)) where.set(k, share);
          }
        }
      }
    }
    console.log(w, [...where].map(([k, s]) => `${k} @${s.toFixed(3)}`).join('\n'));
  }
  console.log('frames', count, 'bad', bad);
});
