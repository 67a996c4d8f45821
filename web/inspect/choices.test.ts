/**
 * The choices of a filter: however many there are, one page is shown, and each can be found by its label.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PAGE, pageOf, type Choice } from './choices.ts';

const flows = (count: number): readonly Choice[] =>
  Array.from({ length: count }, (_, at) => ({
    value: String(at),
    label: `UDP 192.0.2.1:${1000 + at} → 192.0.2.2:53`,
  }));

it('shows one page of a hundred thousand flows, and that there are more', () => {
  const { shown, areMore } = pageOf(flows(100_000), '');
  expect(shown).toHaveLength(PAGE);
  expect(areMore).toBe(true);
});

it('finds a flow by its port, however far behind it stands', () => {
  const { shown, areMore } = pageOf(flows(100_000), 'udp :100999');
  expect(shown.map(({ value }) => value)).toEqual(['99999']);
  expect(areMore).toBe(false);
});

it('shows all that fit, in their order, up to a page', () => {
  fc.assert(
    fc.property(fc.nat(200), fc.constantFrom('', '1', 'UDP', ' 10', 'tcp'), (count, typed) => {
      const all = flows(count);
      const fitting = all.filter(({ label }) =>
        label.toLowerCase().includes(typed.trim().toLowerCase()),
      );
      const { shown, areMore } = pageOf(all, typed);
      expect(shown).toEqual(fitting.slice(0, PAGE));
      expect(areMore).toBe(fitting.length > PAGE);
    }),
  );
});
