/**
 * What the lanes of the time line are made of. Shapes are few however many segments a lane
 * has: those of one look stand in one shape, as pairs of numbers. Lengths are CSS pixels from
 * the upper left corner of the lanes; colours are names of `web/ui/tokens.css`.
 */
export type LaneColour =
  | 'panel'
  | 'line'
  | 'ink'
  | 'ink-muted'
  | 'idle'
  | 'hardirq'
  | 'softirq'
  | 'kernel'
  | 'user'
  | 'lock'
  | 'on-idle'
  | 'on-hardirq'
  | 'on-softirq'
  | 'on-kernel'
  | 'on-user'
  | 'on-lock'
  | 'packet';

/** Boxes of one look in one row: `spans` holds where each begins and ends, in turn. */
export interface BandsShape {
  readonly kind: 'bands';
  readonly fill: LaneColour;
  /** Stripes over the colour. */
  readonly isHatched: boolean;
  /** 0 to 1. */
  readonly alpha: number;
  readonly y: number;
  readonly height: number;
  readonly spans: readonly number[];
}

/** A line in steps, and the area under it: x and y in turn; NaN where the line is broken. */
export interface StepsShape {
  readonly kind: 'steps';
  readonly line: LaneColour;
  readonly fill: LaneColour | undefined;
  readonly isDashed: boolean;
  readonly base: number;
  readonly points: readonly number[];
}

export interface RuleShape {
  readonly kind: 'rule';
  readonly colour: LaneColour;
  readonly isDashed: boolean;
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

export interface LabelShape {
  readonly kind: 'label';
  readonly text: string;
  readonly colour: LaneColour;
  readonly x: number;
  /** The middle of its line. */
  readonly y: number;
}

/** Marks that fall: a drop each, or a few that are too near to be told apart. */
export interface DropsShape {
  readonly kind: 'drops';
  readonly y: number;
  readonly size: number;
  readonly xs: readonly number[];
}

/** A box around something, filled or hollow. */
export interface FrameShape {
  readonly kind: 'frame';
  readonly colour: LaneColour;
  readonly isFilled: boolean;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type LaneShape = BandsShape | StepsShape | RuleShape | LabelShape | DropsShape | FrameShape;

/** How wide a text is in the lanes' type; passed in, as only the page knows its fonts. */
export type Measure = (text: string) => number;

/** A line across, dashed: a level that something may reach. */
export function level(y: number, width: number, colour: LaneColour): RuleShape {
  return { kind: 'rule', colour, isDashed: true, x0: 0, y0: y, x1: width, y1: y };
}

/** A line down. */
export function plumb(x: number, y0: number, y1: number, colour: LaneColour): RuleShape {
  return { kind: 'rule', colour, isDashed: false, x0: x, y0, x1: x, y1 };
}
