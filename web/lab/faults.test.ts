/** Faults in the form: the kinds offered, the defaults of a new one, the errors that are reported and where. */
import { expect, test } from 'vitest';
import { notPermitted, SMALL_CATALOGUE as catalogue, whole } from '../core/fake-core.ts';
import { readScenario, writeScenario } from '../session/scenario.ts';
import { withFault, withNewFault, problemsOfFaults } from './faults.ts';
import { changed, fieldNamedIn } from './form.ts';

const calm = readScenario(
  '{"machine":"quick","kernel":"6.1","workload":"stream","duration_us":2000,"seed":1}',
);
const [steal, drop] = catalogue.faults;

test('a new fault stands in the middle of the run with what is usual', () => {
  const two = withNewFault(withNewFault(calm, steal!), drop!);
  expect(JSON.parse(writeScenario(two))).toMatchObject({
    faults: [
      { at_us: 1000, do: 'steal_cpu', cpu: 0 },
      { at_us: 1000, do: 'drop_frame' },
    ],
  });
  expect(withFault(two, 0, undefined).faults).toEqual([two.faults[1]]);
});

test('faults that mean nothing to another workload are let go, unknown ones are not', () => {
  const three = readScenario(
    '{"workload":"stream","faults":[{"at_us":1,"do":"steal_cpu","cpu":0},{"at_us":2,"do":"drop_frame"},{"at_us":3,"do":"flood"}]}',
  );
  const kinds = changed(catalogue, three, { workload: 'chat' }).faults.map(({ kind }) => kind);
  expect(kinds).toEqual(['steal_cpu', 'flood']);
  expect(changed(catalogue, three, { machine: 'slow' }).faults).toBe(three.faults);
});

test('what is wrong with a fault is told at its field', () => {
  const wrong = readScenario(
    '{"machine":"quick","workload":"chat","duration_us":2000,"faults":[{"at_us":2001,"do":"drop_frame"},{"at_us":5,"do":"steal_cpu","cpu":4},{"at_us":5,"do":"steal_cpu"},{"at_us":5,"do":"flood"}]}',
  );
  expect(problemsOfFaults(catalogue, wrong)).toEqual([
    ['faults.0.do', 'It does nothing in this workload.'],
    ['faults.0.at_us', 'Within the run: 0 to 2\u00a0ms.'],
    ['faults.1.cpu', 'A whole number, 0 to 3.'],
    ['faults.2.cpu', 'A number is missing.'],
    ['faults.3.do', '“flood” is no fault; choose one of the list.'],
  ]);
});

test('the core’s refusal finds the field of the fault', () => {
  const field = (path: string) => fieldNamedIn(catalogue, notPermitted(path, '9', whole(0, 1)));
  expect(field('faults.3.cpu')).toBe('faults.3.cpu');
  expect(field('settings.mtu_bytes')).toBe('mtu_bytes');
  expect(field('faults')).toBeUndefined();
});
