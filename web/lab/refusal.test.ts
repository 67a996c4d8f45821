/** The Lab's texts about a scenario that the core refuses. */
import { expect, test } from 'vitest';
import { engineOnDisk } from '../core/on-disk.ts';
import { readScenario } from '../session/scenario.ts';
import { refusalText, whyRefused } from './refusal.ts';

const catalogue = await engineOnDisk().catalogue([]);
const scenario =
  '{"machine":"current-server","kernel":"6.1","workload":"iperf-link","settings":{"peer":null},"duration_us":2000,"seed":1}';

test('a setting that is null is called null, and not what it is by default', () => {
  const message = 'settings.peer is null, must be one of a, b';
  const said = refusalText(catalogue, readScenario(scenario), { message });
  expect(said).toContain('null');
  expect(said).toContain('one of a, b');
});

test.each(['constructor', '__proto__', 'toString'])('a field may be called %s', (name) => {
  const message = `unknown field ${name}; known are machine, kernel`;
  expect(whyRefused(catalogue, `{"${name}":1}`, { message })).not.toContain('object Object');
});

test('a setting that is null hides nothing that is wrong with the others', () => {
  const text = scenario.replace(
    '"peer":null',
    '"peer":null,"mtu_bytes":9,"gro":null,"rx_ring":[1]',
  );
  const said = whyRefused(catalogue, text, {
    message: 'settings.peer is null, must be one of a, b',
  });
  const titles = ['peer', 'mtu_bytes', 'gro', 'rx_ring'].map(
    (name) => catalogue.settings.find((one) => one.name === name)!.title,
  );
  for (const title of titles) expect(said).toContain(`${title}: `);
  expect(said).toContain('“null” is not known');
  expect(said).toContain('“[1]” is not a number');
});
