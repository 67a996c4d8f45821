/** The Lab's texts about a scenario that the core refuses. */
import { afterEach, expect, test } from 'vitest';
import { notPermitted, oneOf } from '../core/fake-core.ts';
import { engineOnDisk } from '../core/on-disk.ts';
import type { Trouble } from '../core/trouble.ts';
import { readScenario } from '../session/scenario.ts';
import { inWords } from '../words/setting-words.ts';
import { overwriteGetLocale } from '../words/generated/runtime.js';
import { troubleOf } from '../words/trouble.ts';
import { fieldNamedIn } from './form.ts';
import { refusalText, whyRefused } from './refusal.ts';

const engine = engineOnDisk();
const catalogue = inWords(await engine.catalogue([]));
const scenario =
  '{"machine":"current-server","kernel":"6.1","workload":"iperf-link","settings":{"peer":null},"duration_us":2000,"seed":1}';

afterEach(() => overwriteGetLocale(() => 'en'));

const peer = notPermitted('settings.peer', 'null', oneOf('a', 'b'));

test('a setting that is null is called null, and not what it is by default', () => {
  const said = refusalText(catalogue, readScenario(scenario), peer);
  expect(said).toContain('null');
  expect(said).toContain('one of a, b');
});

test.each(['constructor', '__proto__', 'toString'])('a field may be called %s', (name) => {
  const values = { field: { kind: 'name', value: name } } as const;
  const refusal = { code: 'scenario.unknown_field', values, isInferred: false };
  const said = whyRefused(catalogue, `{"${name}":1}`, { message: refusal.code, refusal });
  expect(said).not.toContain('object Object');
});

test('a setting that is null hides nothing that is wrong with the others', () => {
  const text = scenario.replace(
    '"peer":null',
    '"peer":null,"mtu_bytes":9,"gro":null,"rx_ring":[1]',
  );
  const said = whyRefused(catalogue, text, peer);
  const titles = ['peer', 'mtu_bytes', 'gro', 'rx_ring'].map(
    (name) => catalogue.settings.find((one) => one.name === name)!.title,
  );
  for (const title of titles) expect(said).toContain(`${title}: `);
  expect(said).toContain('“null” is not known');
  expect(said).toContain('“[1]” is not a number');
});

/** What the core makes of the scenario with another text in place of its settings. */
async function refused(settings: string): Promise<Trouble> {
  const outcome = await engine.tryOut(scenario.replace('"settings":{"peer":null}', settings));
  if (outcome.kind !== 'failed') throw new Error(outcome.kind);
  return outcome;
}

test('the core refuses a value with the field and what that may be, for either language', async () => {
  const trouble = await refused('"settings":{"rx_ring":99999}');
  expect(fieldNamedIn(catalogue, trouble)).toBe('rx_ring');
  const said = () => refusalText(catalogue, readScenario(scenario), trouble);
  expect(said()).toMatch(/99,999 .* must be a whole number from 1 to 8,192\.$/);
  overwriteGetLocale(() => 'de');
  expect(said()).toMatch(
    /^„.*“ kann hier nicht 99.999 .* muss sein: eine ganze Zahl von 1 bis 8.192\.$/,
  );
});

test('a fault that does not fit is refused with its place in the list', async () => {
  const trouble = await refused('"faults":[{"do":"steal_cpu","at_us":1,"cpu":9999,"us":1}]');
  expect(fieldNamedIn(catalogue, trouble)).toBe('faults.0.cpu');
  expect(troubleOf(trouble)).toBe('faults.0.cpu is 9999, must be a whole number from 0 to 127');
});

/** What the core makes of a scenario whose settings ask for what is not there. */
test.each([
  ['"settings":{"xdp_port":7}', 'xdp', /und ohne Programm ändern settings\.xdp_port und/],
  [
    '"settings":{"irq_queue":3}',
    'irq_queue',
    /^settings\.irq_queue ist 3, aber keine CPU ist dafür/,
  ],
  [
    '"settings":{"firewall_drops_port":9}',
    'firewall_drops_port',
    /keine Regel, die verwerfen könnte/,
  ],
  [
    '"settings":{"ce_threshold_us":9}',
    'ce_threshold_us',
    /^settings\.ce_threshold_us ist angegeben/,
  ],
  ['"settings":{"xdp":"tx"}', 'xdp', /was Datagramme an ihren Absender zurücksendet/],
  [
    '"faults":[{"do":"stop_task","at_us":1,"pid":1,"us":1}]',
    'faults.0.pid',
    /^faults\.0\.pid ist 1; es muss/,
  ],
  [
    '"faults":[{"do":"pin_queue","at_us":1,"queue":99,"cpu":0}]',
    'faults.0.queue',
    /ist 99; hier muss es 0 bis \d+ sein$/,
  ],
] as const)(
  '%s asks for what is not there, which is said in German',
  async (asked, field, said) => {
    const trouble = await refused(asked);
    expect(fieldNamedIn(catalogue, trouble)).toBe(field);
    overwriteGetLocale(() => 'de');
    expect(troubleOf(trouble)).toMatch(said);
  },
);

test.each([
  ['{', /^machine file: kein Objekt in JSON: ab Zeile 1, Spalte 1 ist es keines$/],
  ['{}', /^machine file: name: es gibt keinen$/],
  ['{"name":"../x"}', /^machine file: name: "\.\.\/x", aber Buchstaben/],
  ['{"name":"current-server"}', /heißt schon eine Maschine hier; wähle einen anderen Namen$/],
  [
    '{"name":"mine","based_on":"current-server","processors":{"cores":999}}',
    /^data\/machines\/mine\.json: processors\.cores: .*, aber modellieren lassen sich 1 bis 64$/,
  ],
] as const)('%s is no machine, which is said in German', async (text, said) => {
  const trouble: unknown = await engine.catalogue([text]).catch((error: unknown) => error);
  overwriteGetLocale(() => 'de');
  expect(troubleOf(trouble)).toMatch(said);
});
