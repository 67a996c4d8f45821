/**
 * For tests: the colours of both themes as a viewer sees them, also one who is colour-blind, and how
 * far two of them are apart. Simulations are those of Machado, Oliveira and Fernandes, "A
 * Physiologically-based Model for Simulation of Color Vision Deficiency" (IEEE TVCG 2009), table 1,
 * severity 1; contrast is that of WCAG 2.2, distance is CIE 1976 (ΔE of 2.3 is just noticeable).
 */
import { readFileSync } from 'node:fs';
import type { Colour } from './shapes.ts';

/** Linear red, green and blue, 0 to 1. */
export type Light = readonly [red: number, green: number, blue: number];
export type Theme = Readonly<Record<string, Light>>;

const css = readFileSync(new URL('../ui/tokens.css', import.meta.url), 'utf8');
const shared = declared(/^:root \{(.*?)^\}/ms);

export const THEMES: Readonly<Record<'light' | 'dark', Theme>> = {
  light: { ...shared, ...declared(/^:root\[data-theme='light'\] \{(.*?)^\}/ms) },
  dark: { ...shared, ...declared(/^:root\[data-theme='dark'\] \{(.*?)^\}/ms) },
};

type Matrix = readonly [Light, Light, Light];

const SIMULATED: Readonly<Record<string, Matrix>> = {
  'all colours': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  greyscale: [
    [0.2126, 0.7152, 0.0722],
    [0.2126, 0.7152, 0.0722],
    [0.2126, 0.7152, 0.0722],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

export const EYES = Object.keys(SIMULATED);

export function seenBy(eyes: string, [r, g, b]: Light): Light {
  const rows = SIMULATED[eyes] ?? SIMULATED['all colours'] ?? [];
  const seen = rows.map(([x, y, z]) => Math.min(1, Math.max(0, x * r + y * g + z * b)));
  return [seen[0] ?? 0, seen[1] ?? 0, seen[2] ?? 0];
}

/** A colour of a theme upon a ground; a canvas blends what it shows, not the light of it. */
export function over(theme: Theme, colour: Colour, alpha: number, ground: Light): Light {
  const top = theme[colour];
  if (top === undefined) throw new Error(`--${colour} is not in tokens.css`);
  const blended = top.map((part, at) =>
    linear(encoded(part) * alpha + encoded(ground[at] ?? 0) * (1 - alpha)),
  );
  return [blended[0] ?? 0, blended[1] ?? 0, blended[2] ?? 0];
}

export function contrast(one: Light, other: Light): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

export function distance(one: Light, other: Light): number {
  const [a, b] = [labOf(one), labOf(other)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function luminance([r, g, b]: Light): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** CIE L*a*b* with the white of sRGB. */
function labOf([r, g, b]: Light): Light {
  const f = (t: number) => (t > 216 / 24389 ? Math.cbrt(t) : (t * 24389) / 27 / 116 + 16 / 116);
  const x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const y = f(luminance([r, g, b]));
  const z = f((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function encoded(value: number): number {
  return value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
}

function declared(block: RegExp): Theme {
  const declarations = block.exec(css)?.[1] ?? '';
  return Object.fromEntries(
    [...declarations.matchAll(/--([\w-]+): #([0-9a-f]{6});/g)].map(([, name = '', hex = '']) => {
      const part = (at: number) => linear(parseInt(hex.slice(at, at + 2), 16) / 255);
      return [name, [part(0), part(2), part(4)] as const];
    }),
  );
}
