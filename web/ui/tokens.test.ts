/**
 * What tokens.css promises of its colours, computed: text can be read on every ground it may
 * stand on, in both themes (WCAG 2.2, success criterion 1.4.3: a contrast of 4.5).
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const shared = colours(/^:root \{(.*?)^\}/ms);
const themes = {
  light: { ...shared, ...colours(/^:root\[data-theme='light'\] \{(.*?)^\}/ms) },
  dark: { ...shared, ...colours(/^:root\[data-theme='dark'\] \{(.*?)^\}/ms) },
};

const grounds = ['page', 'panel', 'well'];
const marks = ['hardirq', 'softirq', 'kernel', 'user', 'lock', 'cache'];
const upon = [...marks, 'idle', 'packet', 'accent'];
const pairs = [
  ...['ink', 'ink-soft', 'ink-muted', ...marks.map((mark) => `${mark}-text`)].flatMap((text) =>
    grounds.map((ground) => [text, ground] as const),
  ),
  ...upon.map((mark) => [`on-${mark}`, mark] as const),
  ...['chosen', 'more', 'less'].map((ground) => ['ink', ground] as const),
];

for (const [theme, values] of Object.entries(themes)) {
  test(`every text can be read in the ${theme} theme`, () => {
    const faint = pairs
      .map(([text, ground]) => ({ text, ground, by: contrast(values[text], values[ground]) }))
      .filter(({ by }) => !(by >= 4.5));
    expect(
      faint.map(({ text, ground, by }) => `--${text} on --${ground}: ${by.toFixed(2)}, not 4.5`),
    ).toEqual([]);
  });
}

/** Borders of controls and of what has room for something, on what they stand on. */
const edges = [
  ...['page', 'panel', 'well', 'slot-empty', 'chosen'].map((on) => ['line-strong', on] as const),
  ...grounds.map((on) => ['focus', on] as const),
];

for (const [theme, values] of Object.entries(themes)) {
  // WCAG 2.2, success criterion 1.4.11: what is needed to know a control or a graphic.
  test(`every edge that has to be seen can be in the ${theme} theme`, () => {
    const faint = edges
      .map(([edge, on]) => ({ edge, on, by: contrast(values[edge], values[on]) }))
      .filter(({ by }) => !(by >= 3));
    expect(
      faint.map(({ edge, on, by }) => `--${edge} on --${on}: ${by.toFixed(2)}, not 3`),
    ).toEqual([]);
  });
}

test('a control has an edge that can be seen, and so has an empty place', () => {
  for (const control of ['Button', 'Segments']) {
    const source = readFileSync(new URL(`./${control}.svelte`, import.meta.url), 'utf8');
    expect(source, control).toContain('border: 1px solid var(--line-strong)');
  }
});

for (const [theme, values] of Object.entries(themes)) {
  // L4 of the lessons: what a step is not about is dimmed, and can still be read.
  test(`every text can be read under the veil in the ${theme} theme`, () => {
    const veil = Number(/--veil: ([\d.]+);/.exec(css)?.[1]);
    expect(veil, 'a veil that is seen').toBeGreaterThan(0.15);
    const under = (name: string) => mixed(values[name], values['panel'], veil);
    const faint = pairs
      .map(([text, ground]) => ({ text, ground, by: contrast(under(text), under(ground)) }))
      .filter(({ by }) => !(by >= 3));
    expect(
      faint.map(({ text, ground, by }) => `--${text} on --${ground}: ${by.toFixed(2)}, not 3`),
    ).toEqual([]);
  });
}

/** A colour with so much of another over it. */
function mixed(one = '', over = '', share: number): string {
  const parts = [1, 3, 5].map((at) =>
    Math.round(
      parseInt(one.slice(at, at + 2), 16) * (1 - share) +
        parseInt(over.slice(at, at + 2), 16) * share,
    ),
  );
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function colours(block: RegExp): Readonly<Record<string, string>> {
  const declarations = block.exec(css)?.[1] ?? '';
  return Object.fromEntries(
    [...declarations.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((found) => [
      found[1] ?? '',
      found[2] ?? '',
    ]),
  );
}

function contrast(one = '', other = ''): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((light ?? NaN) + 0.05) / ((dark ?? NaN) + 0.05);
}

/** Relative luminance as WCAG 2.2 defines it. */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5]
    .map((at) => parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * (red ?? NaN) + 0.7152 * (green ?? NaN) + 0.0722 * (blue ?? NaN);
}
