/**
 * Lane shapes as pixels of a canvas, by the calls that are quick without a graphics card. Knows
 * nothing of lanes or time.
 */
import type {
  BandsShape,
  DropsShape,
  FrameShape,
  LaneShape,
  Measure,
  RuleShape,
  StepsShape,
} from '../scene/timeline/shapes.ts';
import type { Palette } from './palette.ts';

export interface Surface {
  readonly width: number;
  readonly height: number;
  /** Device pixels for a CSS pixel. */
  readonly ratio: number;
  /** What stands at the upper edge: rows above it are scrolled away. */
  readonly top: number;
}

type Context = CanvasRenderingContext2D;

export function paint(
  canvas: HTMLCanvasElement,
  shapes: readonly LaneShape[],
  { width, height, ratio, top }: Surface,
  palette: Palette,
): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const [deviceWidth, deviceHeight] = [Math.round(width * ratio), Math.round(height * ratio)];
  // Setting a size clears the canvas and is dear: only where it changes.
  if (canvas.width !== deviceWidth) canvas.width = deviceWidth;
  if (canvas.height !== deviceHeight) canvas.height = deviceHeight;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.translate(0, -top);
  context.font = palette.font;
  context.textBaseline = 'middle';
  for (const shape of shapes) paintShape(context, shape, palette, ratio);
}

function paintShape(context: Context, shape: LaneShape, palette: Palette, ratio: number): void {
  switch (shape.kind) {
    case 'bands':
      paintBands(context, shape, palette);
      break;
    case 'steps':
      paintSteps(context, shape, palette);
      break;
    case 'rule':
      paintRule(context, shape, palette, ratio);
      break;
    case 'label':
      context.fillStyle = palette.colour(shape.colour);
      context.fillText(shape.text, shape.x, shape.y + 0.5);
      break;
    case 'drops':
      paintDrops(context, shape, palette);
      break;
    case 'frame':
      paintFrame(context, shape, palette);
  }
}

function paintBands(context: Context, shape: BandsShape, palette: Palette): void {
  const { spans, y, height } = shape;
  context.globalAlpha = shape.alpha;
  context.fillStyle = palette.colour(shape.fill);
  // One by one: without a graphics card a path of many boxes takes twice as long.
  for (let at = 0; at < spans.length; at += 2) {
    context.fillRect(spans[at]!, y, spans[at + 1]! - spans[at]!, height);
  }
  context.globalAlpha = 1;
  if (shape.isHatched) paintHatch(context, shape, palette);
}

const HATCH = 5;

/** Stripes within the boxes. */
function paintHatch(context: Context, { spans, y, height }: BandsShape, palette: Palette): void {
  context.save();
  context.beginPath();
  for (let at = 0; at < spans.length; at += 2) {
    context.rect(spans[at]!, y, spans[at + 1]! - spans[at]!, height);
  }
  context.clip();
  context.beginPath();
  const end = spans.at(-1) ?? 0;
  for (let x = (spans[0] ?? 0) - height; x < end; x += HATCH) {
    context.moveTo(x, y + height);
    context.lineTo(x + height, y);
  }
  context.strokeStyle = palette.colour('panel');
  context.lineWidth = 1;
  context.stroke();
  context.restore();
}

const FILL_ALPHA = 0.28;

function paintSteps(context: Context, shape: StepsShape, palette: Palette): void {
  const { points, base } = shape;
  if (points.length < 4) return;
  /** To the floor where a piece ends, if the area under it is wanted. */
  const trace = (isClosed: boolean) => {
    context.beginPath();
    let first = NaN;
    for (let at = 0; at < points.length; at += 2) {
      const [x, y] = [points[at]!, points[at + 1]!];
      if (Number.isNaN(first)) context.moveTo((first = x), y);
      else if (!Number.isNaN(x)) context.lineTo(x, y);
      const next = points[at + 2];
      const isEnd = next === undefined || Number.isNaN(next);
      if (isClosed && isEnd && !Number.isNaN(x)) {
        context.lineTo(x, base);
        context.lineTo(first, base);
      }
      if (Number.isNaN(x)) first = NaN;
    }
  };
  if (shape.fill !== undefined) {
    trace(true);
    context.globalAlpha = FILL_ALPHA;
    context.fillStyle = palette.colour(shape.fill);
    context.fill();
    context.globalAlpha = 1;
  }
  trace(false);
  context.setLineDash(shape.isDashed ? [3, 2] : []);
  context.strokeStyle = palette.colour(shape.line);
  // Wider than a pixel it takes ten times as long without a graphics card.
  context.lineWidth = 1;
  context.stroke();
  context.setLineDash([]);
}

/** On whole device pixels, so that a thin line is one line. */
function paintRule(context: Context, shape: RuleShape, palette: Palette, ratio: number): void {
  const snap = (at: number) => (Math.floor(at * ratio) + 0.5) / ratio;
  const isDown = shape.x0 === shape.x1;
  context.beginPath();
  context.moveTo(isDown ? snap(shape.x0) : shape.x0, isDown ? shape.y0 : snap(shape.y0));
  context.lineTo(isDown ? snap(shape.x1) : shape.x1, isDown ? shape.y1 : snap(shape.y1));
  context.setLineDash(shape.isDashed ? [5, 3] : []);
  context.strokeStyle = palette.colour(shape.colour);
  context.lineWidth = 1;
  context.stroke();
  context.setLineDash([]);
}

function paintDrops(context: Context, { xs, y, size }: DropsShape, palette: Palette): void {
  context.beginPath();
  for (const x of xs) {
    context.moveTo(x - size / 2, y - size / 2);
    context.lineTo(x + size / 2, y - size / 2);
    context.lineTo(x, y + size / 2);
    context.closePath();
  }
  context.fillStyle = palette.colour('ink');
  context.fill();
  context.strokeStyle = palette.colour('panel');
  context.lineWidth = 1;
  context.stroke();
}

function paintFrame(context: Context, shape: FrameShape, palette: Palette): void {
  const { x, y, width, height } = shape;
  context.fillStyle = context.strokeStyle = palette.colour(shape.colour);
  context.lineWidth = 1;
  if (shape.isFilled || width < 3) context.fillRect(x, y, width, height);
  else {
    context.beginPath();
    context.rect(x + 0.5, y + 0.5, width - 1, height - 1);
    context.fillStyle = palette.colour('panel');
    context.fill();
    context.stroke();
  }
}

/** Widths of texts in the lanes' type; each text is measured once. */
export function measureOn(canvas: HTMLCanvasElement, palette: Palette): Measure {
  const context = canvas.getContext('2d');
  const known = new Map<string, number>();
  return (text) => {
    const held = known.get(text);
    if (held !== undefined) return held;
    if (context !== null) context.font = palette.font;
    const width = context?.measureText(text).width ?? Infinity;
    known.set(text, width);
    return width;
  };
}
