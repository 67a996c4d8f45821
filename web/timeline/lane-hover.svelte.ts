/**
 * What the pointer is upon in the lanes, slim or all: a tip in words, the drop whose mark it is,
 * and the thing that a double click zooms to. To be made while a component is set up.
 */
import { unlessGone, type RunHandle, type RunQuestions } from '../core/run.ts';
import type { Nanos, Stretch } from '../core/core.ts';
import type { Row } from '../scene/timeline/rows.ts';
import { momentAt, timeUnder, type Viewport } from '../scene/timeline/stretch.ts';
import { around, dropNear, thingAt } from '../scene/timeline/things.ts';
import { lookOf } from '../scene/timeline/looks.ts';
import { askFor } from '../session/asker.svelte.ts';
import { dropAt, type Dropped } from './drop-at.ts';
import { tipAt, type Tip, type Told } from './names.ts';
import type { TimelineProps } from './timeline-props.ts';

export interface LaneHoverInput {
  readonly handle: RunHandle;
  /** The stretch that is drawn. */
  readonly view: Viewport;
  /** Nothing until the core has answered with lanes. */
  readonly told: Told | undefined;
  readonly rowAt: (y: number) => Row | undefined;
}

/** What a press does: to a moment, to the packet that was dropped there, to a stretch. */
export type LaneActs = Pick<TimelineProps, 'onSeek' | 'onPacket' | 'onZoom'>;

interface Point {
  readonly x: number;
  readonly y: number;
}

export class LaneHover {
  readonly #input: () => LaneHoverInput;
  readonly #acts: () => LaneActs;
  readonly #drop: { readonly answer: Dropped | undefined };
  #point = $state.raw<Point>();

  constructor(input: () => LaneHoverInput, acts: () => LaneActs) {
    this.#input = input;
    this.#acts = acts;
    this.#drop = askFor(
      () => this.#dropTime,
      (time, signal) => this.#ask(this.#input().handle.until(signal), time),
    );
  }

  #ask(run: RunQuestions, time: Nanos): Promise<Dropped | undefined> {
    const { told } = this.#input();
    if (told === undefined) return Promise.resolve(undefined);
    return dropAt(run, told.glossary, time);
  }

  /** Where the pointer is, from the lanes' left upper edge. */
  get point(): Point | undefined {
    return this.#point;
  }

  /** The moment under the pointer. */
  get time(): Nanos | undefined {
    const { told } = this.#input();
    return told && this.#point && timeUnder(told.view, this.#point.x);
  }

  #row = $derived.by(() => this.#point && this.#input().rowAt(this.#point.y));

  #dropTime = $derived.by(() => {
    const { told } = this.#input();
    if (told === undefined || this.#point === undefined || this.#row?.kind !== 'drops') return;
    return dropNear(told.lanes.drops, told.view, this.#point.x);
  });

  /** To the drop whose mark is pressed, else to the moment. */
  async press(event: MouseEvent & { currentTarget: Element }): Promise<void> {
    this.at(event);
    const { view, handle } = this.#input();
    const time = momentAt(view, this.#point?.x ?? 0, handle.opened.duration);
    const dropped = await this.#pressed();
    if (dropped === undefined) this.#acts().onSeek(time);
    else this.#acts().onPacket(dropped.packet, dropped.time);
  }

  /** A double press zooms to the thing. */
  zoom(event: MouseEvent & { currentTarget: Element }): void {
    this.at(event);
    this.#acts().onZoom(this.#thing);
  }

  /** The drop whose mark is under the pointer; a press waits for it. */
  async #pressed(): Promise<Dropped | undefined> {
    const time = this.#dropTime;
    if (time === undefined) return undefined;
    return this.#ask(this.#input().handle, time).catch(unlessGone);
  }

  /** The same, once it is known. */
  get #dropped(): Dropped | undefined {
    return this.#dropTime === undefined ? undefined : this.#drop.answer;
  }

  get tip(): Tip | undefined {
    const { told } = this.#input();
    const { time } = this;
    if (told === undefined || time === undefined || this.#row === undefined) return undefined;
    return this.#row.kind === 'drops' ? this.#dropped?.tip : tipAt(this.#row, time, told);
  }

  /** What a double click here zooms to; nothing where nothing happens. */
  get #thing(): Stretch | undefined {
    const { told } = this.#input();
    const { time } = this;
    if (told === undefined || time === undefined || this.#row === undefined) return undefined;
    const { lanes, view, looks, run } = told;
    const isIdle = (context: number) => lookOf(looks, context).name === 'idle';
    const drop = this.#dropped;
    const thing =
      drop === undefined
        ? thingAt(this.#row, time, lanes, view, isIdle)
        : { from: drop.time, to: drop.time };
    return thing && around(thing, run.duration);
  }

  /** A finger covers what it points at, and a pressed button drags. */
  move(event: PointerEvent & { currentTarget: Element }): void {
    if (event.pointerType === 'touch' || event.buttons !== 0) return;
    this.at(event);
  }

  /** For a click: a finger, too, means what is under it. */
  at(event: MouseEvent & { currentTarget: Element }): void {
    const box = event.currentTarget.getBoundingClientRect();
    this.#point = { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  leave(): void {
    this.#point = undefined;
  }
}
