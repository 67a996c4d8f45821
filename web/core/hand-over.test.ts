/** What is handed over arrives whole, and its arrays are no longer the sender's. */
import { expose, wrap } from 'comlink';
import { expect, test } from 'vitest';
import { handedOver } from './hand-over.ts';

test('an answer that is handed over is whole with the page and empty with the worker', async () => {
  const film = Float64Array.of(0, 1.5);
  const answer = { opensAt: 1, pieces: { film }, actors: { packet: Uint32Array.of(7) } };
  const { port1, port2 } = new MessageChannel();
  expose({ told: () => handedOver(answer) }, port1);
  const page = wrap<{ told: () => typeof answer }>(port2);
  expect(await page.told()).toEqual({
    opensAt: 1,
    pieces: { film: Float64Array.of(0, 1.5) },
    actors: { packet: Uint32Array.of(7) },
  });
  expect(film).toHaveLength(0);
  port1.close();
  port2.close();
});
