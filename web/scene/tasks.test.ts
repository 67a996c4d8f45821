/** Names and queues of tasks: found once for a run and a frame, however many CPUs ask. */
import { expect, test } from 'vitest';
import { commOf } from './tasks.ts';
import { packetsAwaited } from './readers.ts';
import { busy, frameOf, runOf } from './testing.ts';

test('a task has the name that it had first, and one that is not told has none', () => {
  const tasks = [
    { pid: 7, comm: 'sh' },
    { pid: 7, comm: 'iperf' },
    { pid: 8, comm: '' },
  ];
  expect([7, 8, 9].map((pid) => commOf(tasks, pid))).toEqual(['sh', '', '']);
});

test('the tasks of a run are gone through once, whoever is asked for', () => {
  let walks = 0;
  const tasks = new Proxy([{ pid: 7, comm: 'sh' }], {
    get: (of, key, receiver): unknown => {
      if (key === '0') walks += 1;
      return Reflect.get(of, key, receiver);
    },
  });
  for (let cpu = 0; cpu < 100; cpu += 1) expect(commOf(tasks, 7)).toBe('sh');
  expect(walks).toBe(1);
});

test('who is awaited is found once for a frame', () => {
  const run = runOf([0, 1], [{ kind: 'receive queue', max: 9, depth: 1, limit: 9 }]);
  const frame = frameOf(1000, [{ packet: 1, at: 'IP', since: 0, until: 9000 }], busy);
  expect(packetsAwaited(frame, run)).toBe(packetsAwaited(frame, run));
});
