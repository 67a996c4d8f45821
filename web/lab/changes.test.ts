/** The differences between two scenarios, even if a link has unusual names in them. */
import { expect, test } from 'vitest';
import { notPermitted, SMALL_CATALOGUE, whole } from '../core/fake-core.ts';
import { changesOf } from './changes.ts';
import { nodeText, troubleWith } from './fork-words.ts';

/** Written as text: in an object literal `__proto__` would not become a field. */
const setTo = (settings: string) => `{"machine":"quick","settings":{${settings}}}`;

test.each(['constructor', '__proto__', 'toString'])(
  'a setting called %s was not there before it was set',
  (name) => {
    const [without, having] = [setTo(''), setTo(`"${name}":1`)];
    const [there] = changesOf(SMALL_CATALOGUE, without, having);
    const [back] = changesOf(SMALL_CATALOGUE, having, without);
    expect(there).toMatchObject({ title: name, after: '1' });
    expect(back).toMatchObject({ title: name, before: '1', after: there?.before });
    expect(there?.before).not.toMatch(/native|object/);
    expect(changesOf(SMALL_CATALOGUE, having, having)).toEqual([]);
    const fork = { of: 0, change: { kind: 'setting', name, value: 1 } } as const;
    const said = nodeText(SMALL_CATALOGUE, { root: without, forks: [fork] }, 1);
    expect(said).toContain(`${name}: 1`);
    expect(said).not.toMatch(/native|object/);
  },
);

test('nothing in the words of a link turns the writing around', () => {
  const turned = '\u202eabc';
  const scenario = (more: object) => JSON.stringify({ machine: 'quick', ...more });
  const plain = scenario({});
  for (const strange of [
    { machine: turned },
    { kernel: turned },
    { workload: turned },
    { instrumentation: [turned] },
    { settings: { [turned]: turned } },
    { faults: [{ at_us: 5, do: turned }] },
  ]) {
    const said = JSON.stringify(changesOf(SMALL_CATALOGUE, plain, scenario(strange)));
    expect(said).toContain('·abc');
    expect(said).not.toContain('\u202e');
  }
  const fault = { atUs: 5, atNs: 0, isSent: false, kind: turned, arguments: {} };
  const tree = { root: plain, forks: [{ of: 0, change: { kind: 'fault', fault } }] } as const;
  expect(nodeText(SMALL_CATALOGUE, tree, 1)).toMatch(/^·abc/);
});

test('a fork that does not run says so, and why; so does one whose parent does not', () => {
  const refusals = new Map([['{"seed":-1}', notPermitted('seed', '-1', whole(0, 9))]]);
  const said = (parent: string, fork: string) =>
    troubleWith(SMALL_CATALOGUE, parent, fork, (scenario) => refusals.get(scenario));
  expect(said('{"seed":1}', '{"seed":-1}')).toMatch(/^It does not run: .*Seed/);
  expect(said('{"seed":-1}', '{"seed":1}')).toMatch(
    /^What it is compared with does not run: .*Seed/,
  );
  expect(said('{"seed":1}', '{"seed":2}')).toBeUndefined();
});
