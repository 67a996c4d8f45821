/**
 * What part of the lanes is on screen: the stretch of time, moving smoothly towards the one
 * that was asked for, and the rows in view of the area that scrolls. To be made while a
 * component is set up.
 */
import { cubicOut } from 'svelte/easing';
import { prefersReducedMotion, Tween } from 'svelte/motion';
import type { Nanos, Stretch } from '../core/core.ts';
import { heightOf, rowsBetween, rowsOf, type PlacedRow } from '../scene/timeline/rows.ts';
import type { Viewport } from '../scene/timeline/stretch.ts';
import type { TimelineProps } from './timeline-props.ts';

export type LaneViewInput = Pick<TimelineProps, 'run' | 'zoom' | 'onZoom'>;

/** A key or a button moves the view in so many milliseconds; a gesture moves it at once. */
const CALM = 160;

/** The axis, and with the flags under it all that stands above the rows. */
export const TICKS_HEIGHT = 24;
export const AXIS_HEIGHT = TICKS_HEIGHT + 20;

export class LaneView {
  readonly #input: () => LaneViewInput;
  readonly #tween: Tween<Stretch>;
  #isAtOnce = true;
  width = $state(0);
  /** Of the area that scrolls, with the axis that stands above the rows. */
  areaHeight = $state(0);
  scrollTop = $state(0);

  constructor(input: () => LaneViewInput) {
    this.#input = input;
    this.#tween = new Tween<Stretch>(this.wanted, {
      easing: cubicOut,
      interpolate: (a, b) => (t) => ({
        from: a.from + (b.from - a.from) * t,
        to: a.to + (b.to - a.to) * t,
      }),
    });
    // The tween is Svelte's, but moves outside of its derivations.
    $effect.pre(() => {
      const { wanted } = this;
      const duration = this.#isAtOnce || prefersReducedMotion.current ? 0 : CALM;
      this.#isAtOnce = false;
      void this.#tween.set(wanted, { duration });
    });
  }

  /** At least a nanosecond, so that a run of one event has an axis too. */
  get whole(): Nanos {
    return Math.max(this.#input().run.duration, 1);
  }

  /** Where the view is going to. */
  get wanted(): Stretch {
    return this.#input().zoom ?? { from: 0, to: this.whole };
  }

  #view = $derived.by((): Viewport => ({ ...this.#tween.current, width: Math.max(this.width, 1) }));
  get view(): Viewport {
    return this.#view;
  }

  #rows = $derived.by(() => rowsOf(this.#input().run));
  get rows(): readonly PlacedRow[] {
    return this.#rows;
  }
  get rowsHeight(): number {
    return heightOf(this.#rows);
  }
  get height(): number {
    return Math.max(0, this.areaHeight - AXIS_HEIGHT);
  }
  /** The part of the rows that the canvas shows. */
  get paintedHeight(): number {
    return Math.max(0, Math.min(this.height, this.rowsHeight));
  }
  get top(): number {
    return Math.max(0, Math.min(this.scrollTop, this.rowsHeight - this.paintedHeight));
  }
  #rowsInView = $derived.by(() => rowsBetween(this.#rows, this.top, this.top + this.paintedHeight));
  get rowsInView(): readonly PlacedRow[] {
    return this.#rowsInView;
  }

  /** By hand: at once, and the whole run is no zoom. */
  move(from: Nanos, to: Nanos): void {
    this.#isAtOnce = true;
    this.#input().onZoom(to - from >= this.whole ? undefined : { from, to });
  }
}
