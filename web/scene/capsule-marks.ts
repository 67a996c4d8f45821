/**
 * Marks of a packet: lettered shells in front of a payload with its name. A shell that is removed lifts
 * visibly. Pieces of one packet have the same band along their foot.
 */
import { NONE } from '../core/core.ts';
import { payloadOf, shellWidth } from './capsule.ts';
import { centred, LETTER_WIDTH, verticals } from './marks.ts';
import type { BoxMark, Mark } from './marks.ts';
import type { CapsuleShape, Colour, Rect } from './shapes.ts';

/** Letter size, as a fraction of a capsule's height. */
const LETTERS = 0.36;
const NAME = [0.46, 0.36, 0.28];
/** Larger in a low capsule, where a name would be small, up to so many pixels; most in one with nothing but its name. */
const LARGE_NAME = { share: 0.6, alone: 0.75, most: 22 } as const;
const LEAST_LETTERS = 9;
/** Height to which a removed shell is lifted, as a fraction of a capsule's height. */
const LIFT = 0.55;

export function capsuleMarks(shape: CapsuleShape): readonly Mark[] {
  const { rect, alpha } = shape;
  const { height } = rect;
  const shell = shellWidth(rect, shape.shells.length);
  const radius = 0.08 * height;
  const marks: Mark[] = [];
  let x = rect.x;
  for (const { fill, letters, share } of shape.shells) {
    const lift = (1 - share) * LIFT * height;
    const box = { x, y: rect.y - lift, width: Math.max(0.5, shell - 0.04 * height), height };
    const shown = alpha * Math.min(1, share * 1.6);
    marks.push({ kind: 'box', rect: box, radius, fill, alpha: shown });
    marks.push(...lettersOn(box, letters, `on-${fill}`, shown));
    x += shell * share;
  }
  const payload = payloadOf(shape);
  // A packet in service is opaque; one that waits is slightly lighter.
  const body = shape.isServed ? alpha : alpha * 0.86;
  if (shape.split > 0.5) {
    const edges = [payload.x, ...shape.joints, payload.x + payload.width];
    edges.slice(0, -1).forEach((from, at) => {
      const to = edges[at + 1] ?? from;
      const box = { ...rect, x: from, width: Math.max(1, to - from - shape.split) };
      marks.push({ kind: 'box', rect: box, radius, fill: 'packet', alpha: body });
    });
    return marks;
  }
  marks.push(...partsMarks(shape, payload, radius, body));
  // Payload frames are ticks along the foot; joints of merged frames span the whole height.
  const foot = { ...payload, y: payload.y + 0.78 * height, height: 0.18 * height };
  marks.push(...verticals(shape.seams, foot, 0, 'packet-seam', 0.8, alpha * 0.7));
  marks.push(...verticals(shape.joints, payload, 0, 'panel', 0.05 * height, alpha));
  if (shape.kin !== NONE) marks.push(kinBand(payload, alpha));
  marks.push(...nameMarks(shape, ownPart(shape, payload)));
  return marks;
}

/** The part of a packet that carries its name: its own while the others arrive, none once it has merged. */
function ownPart({ joints, awaited }: CapsuleShape, payload: Rect): Rect {
  if (joints.length === 0) return payload;
  const count = joints.length + 1;
  const own = Array.from({ length: count }, (_, at) => at).filter((at) => !awaited.includes(at));
  const width = own.length === 1 ? payload.width / count : 0;
  return { ...payload, x: payload.x + (own[0] ?? 0) * width, width };
}

/** The longest name that fits; in a narrow packet the shortest one, in smaller letters. */
function nameMarks(
  { names, rect, alpha, seams, shells, kin }: CapsuleShape,
  payload: Rect,
): readonly Mark[] {
  const isAlone = seams.length === 0 && shells.length === 0 && kin === NONE;
  const upper = isAlone ? payload : { ...payload, height: 0.8 * rect.height };
  const large = (isAlone ? LARGE_NAME.alone : LARGE_NAME.share) * rect.height;
  const sizes = NAME.map((share) => share * rect.height);
  for (const size of [Math.max(sizes[0] ?? 0, Math.min(large, LARGE_NAME.most)), ...sizes]) {
    const name = names.find((text) => text.length * size * LETTER_WIDTH <= payload.width);
    if (name !== undefined && size >= LEAST_LETTERS) {
      return [{ ...centred(upper, name, size, 'on-packet'), alpha }];
    }
  }
  return [];
}

/** The payload; while parts of it are in flight, only those that have arrived. */
function partsMarks(
  { awaited, joints }: CapsuleShape,
  payload: Rect,
  radius: number,
  alpha: number,
): readonly Mark[] {
  if (awaited.length === 0) return [{ kind: 'box', rect: payload, radius, fill: 'packet', alpha }];
  const count = joints.length + 1;
  const width = payload.width / count;
  return Array.from({ length: count }, (_, at): Mark => {
    const rect = { ...payload, x: payload.x + at * width, width };
    return awaited.includes(at)
      ? { kind: 'box', rect, radius, fill: 'page', line: 'line-strong', isDashed: true, alpha }
      : { kind: 'box', rect, radius: 0, fill: 'packet', alpha };
  });
}

/** Letters side by side if they fit, else from bottom to top. */
function lettersOn(box: Rect, letters: string, colour: Colour, alpha: number): readonly Mark[] {
  const size = LETTERS * box.height;
  if (size < LEAST_LETTERS || box.width < size * 0.7) return [];
  const isUpright = letters.length * size * LETTER_WIDTH <= box.width;
  const text = centred(box, letters, isUpright ? size : Math.min(size, box.width * 0.9), colour);
  return [{ ...text, alpha, ...(isUpright ? {} : { turn: -Math.PI / 2 }) }];
}

/** A broken band distinguishes pieces from whole packets. */
function kinBand({ x, y, width, height }: Rect, alpha: number): BoxMark {
  const band = { x, y: y + 0.04 * height, width, height: 0.1 * height };
  return { kind: 'box', rect: band, radius: 0, fill: 'shell-network', alpha };
}
