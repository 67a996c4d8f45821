/**
 * Which rows of a long list are in view, and their positions. All rows have the same height, so this is
 * arithmetic; a library for virtual lists would measure rows of unequal heights, which do not occur here,
 * and would add stores and an adapter. Independent of the rows' content.
 *
 * Browsers clip elements at about 17 million pixels (Firefox) or 33 million (Chromium), which a million
 * events exceed: such a list is made shorter, and scrolls proportionally faster.
 */
export interface ListView {
  readonly count: number;
  readonly rowHeight: number;
  readonly viewHeight: number;
  readonly scrollTop: number;
}

export interface ListWindow {
  /** First row to render, and one past the last. */
  readonly from: number;
  readonly to: number;
  /** Offset in pixels of the first rendered row in the scrolled element. */
  readonly offset: number;
  /** Height of the scrolled element. */
  readonly height: number;
}

const TALLEST = 8_000_000;
/** Additional rows above and below the view, so that fast scrolling does not show blanks. */
const SPARE = 6;

export function listWindow(view: ListView): ListWindow {
  const { count, rowHeight, viewHeight } = view;
  const height = Math.min(count * rowHeight, TALLEST);
  const top = trueTop(view);
  const first = Math.floor(top / rowHeight);
  const from = Math.max(0, Math.min(first, count) - SPARE);
  const to = Math.min(count, first + Math.ceil(viewHeight / rowHeight) + 1 + SPARE);
  const scrollTop = Math.min(Math.max(view.scrollTop, 0), Math.max(0, height - viewHeight));
  return { from, to: Math.max(from, to), offset: scrollTop + from * rowHeight - top, height };
}

/** The scroll position that brings a row into view with the least movement. */
export function scrollTopFor(row: number, view: ListView): number {
  const { rowHeight, viewHeight } = view;
  const top = trueTop(view);
  const above = row * rowHeight;
  const below = above + rowHeight - viewHeight;
  if (top <= above && below <= top) return view.scrollTop;
  return fromTrue(top > above ? above : below, view);
}

/** The scroll position that centres a row in the view. */
export function scrollTopAround(row: number, view: ListView): number {
  return fromTrue((row + 0.5) * view.rowHeight - view.viewHeight / 2, view);
}

/** The offset of the view in the list, as if it had its full height. */
function trueTop({ count, rowHeight, viewHeight, scrollTop }: ListView): number {
  const whole = count * rowHeight;
  const longest = Math.max(0, Math.min(whole, TALLEST) - viewHeight);
  const within = Math.min(Math.max(scrollTop, 0), longest);
  return whole <= TALLEST ? within : (within / longest) * (whole - viewHeight);
}

function fromTrue(top: number, { count, rowHeight, viewHeight }: ListView): number {
  const whole = count * rowHeight;
  const within = Math.min(Math.max(top, 0), Math.max(0, whole - viewHeight));
  return whole <= TALLEST ? within : (within / (whole - viewHeight)) * (TALLEST - viewHeight);
}
