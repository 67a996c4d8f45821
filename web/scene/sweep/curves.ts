/**
 * Makes the curves of a sweep distinguishable: each has a colour, a shape for its points, and its name at
 * its end, moved so that names do not overlap. Also breaks texts into lines, which SVG does not do.
 */

/**
 * Tokens of Okabe and Ito's colours, the ink last, each with a shape, so that colour is never the only
 * sign.
 */
export const LOOKS = [
  { ink: 'var(--curve-1)', shape: 'circle' },
  { ink: 'var(--curve-2)', shape: 'square' },
  { ink: 'var(--curve-3)', shape: 'up' },
  { ink: 'var(--curve-4)', shape: 'diamond' },
  { ink: 'var(--curve-5)', shape: 'down' },
  { ink: 'var(--curve-6)', shape: 'cross' },
] as const;

export type Shape = (typeof LOOKS)[number]['shape'] | 'star';

/**
 * Corners of a shape around 0, on a circle of radius 1 or slightly outside, so that all appear equally
 * large.
 */
const CORNERS: Readonly<Record<Exclude<Shape, 'circle' | 'star'>, readonly (readonly number[])[]>> =
  {
    square: box(0.85),
    up: triangle(-1),
    down: triangle(1),
    diamond: [
      [0, -1.25],
      [1.25, 0],
      [0, 1.25],
      [-1.25, 0],
    ],
    cross: cross(1.15, 0.4),
  };

/** The outline of a shape around a point, as an SVG path. */
export function outline(shape: Shape, x: number, y: number, radius: number): string {
  if (shape === 'circle') {
    const arc = `a${radius} ${radius} 0 1 0`;
    return `M${x - radius} ${y}${arc} ${2 * radius} 0${arc} ${-2 * radius} 0Z`;
  }
  const corners = shape === 'star' ? STAR : CORNERS[shape];
  const at = ([dx = 0, dy = 0]: readonly number[]) => `${x + dx * radius} ${y + dy * radius}`;
  return `M${corners.map(at).join('L')}Z`;
}

/**
 * Positions of labels as near as possible to the wanted ones, at least `gap` apart, and all within the
 * bounds if they fit.
 */
export function spread(
  wanted: readonly number[],
  gap: number,
  [top, bottom]: readonly [number, number],
): readonly number[] {
  const order = wanted.map((at, index) => ({ at, index })).sort((a, b) => a.at - b.at);
  // First downwards from the top, then upwards from the bottom.
  let least = top;
  for (const label of order) {
    label.at = Math.max(label.at, least);
    least = label.at + gap;
  }
  let most = bottom;
  for (const label of order.toReversed()) {
    label.at = Math.min(label.at, most);
    most = label.at - gap;
  }
  return order.sort((a, b) => a.index - b.index).map(({ at }) => at);
}

/** The greatest width of a letter of a picture's title, and the height of its line, in px. */
export const TITLE = { letter: 8.2, line: 18 };
/** Height of a line of the small print, in px. */
export const LINE = 15;

/** Joins pieces of a text into lines of a maximum number of letters; a piece is never cut. */
export function linesOf(
  pieces: readonly string[],
  between: string,
  letters: number,
): readonly string[] {
  return pieces.reduce<readonly string[]>((lines, piece) => {
    const joined = `${lines.at(-1) ?? ''}${between}${piece}`;
    if (lines.length > 0 && joined.length <= letters) return [...lines.slice(0, -1), joined];
    return [...lines, piece];
  }, []);
}

function box(half: number) {
  return [
    [-half, -half],
    [half, -half],
    [half, half],
    [-half, half],
  ];
}

function triangle(tip: 1 | -1) {
  return [
    [0, tip * 1.2],
    [1.15, tip * -0.8],
    [-1.15, tip * -0.8],
  ];
}

function cross(reach: number, half: number) {
  return [
    [-half, -reach],
    [half, -reach],
    [half, -half],
    [reach, -half],
    [reach, half],
    [half, half],
    [half, reach],
    [-half, reach],
    [-half, half],
    [-reach, half],
    [-reach, -half],
    [-half, -half],
  ];
}

const STAR = Array.from({ length: 10 }, (_, corner) => {
  const angle = (corner * Math.PI) / 5;
  const reach = corner % 2 === 0 ? 1.3 : 0.55;
  return [Math.sin(angle) * reach, -Math.cos(angle) * reach];
});
