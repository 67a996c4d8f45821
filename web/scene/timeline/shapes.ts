/**
 * The shapes of the time line's lanes. Their number does not depend on the number of segments: those of one
 * look share one shape, as pairs of numbers. Lengths are CSS pixels from the upper left corner of the
 * lanes; colours are names of `web/ui/tokens.css`.
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

/** Boxes of one look in one row: `spans` alternates their left and right edges. */
export interface BandsShape {
  readonly kind: 'bands';
  readonly fill: LaneColour;
  /** Whether stripes are drawn over the colour. */
  readonly isHatched: boolean;
  /** 0 to 1. */
  readonly alpha: number;
  readonly y: number;
  readonly height: number;
  readonly spans: readonly number[];
}

/** A step line and the area under it: x and y alternate; NaN interrupts the line. */
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
  /** Vertical centre of the text. */
  readonly y: number;
}

/** Marks of drops: one for each, or for a few that are too near to distinguish. */
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

/** Returns the width of a text in the lanes' font; passed in, as only the page knows its fonts. */
export type Measure = (text: string) => number;

/** A dashed horizontal line, such as a limit. */
export function level(y: number, width: number, colour: LaneColour): RuleShape {
  return { kind: 'rule', colour, isDashed: true, x0: 0, y0: y, x1: width, y1: y };
}

/** A vertical line. */
export function plumb(x: number, y0: number, y1: number, colour: LaneColour): RuleShape {
  return { kind: 'rule', colour, isDashed: false, x0: x, y0, x1: x, y1 };
}
