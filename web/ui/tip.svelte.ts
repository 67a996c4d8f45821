/**
 * When a tooltip is there and where: shown while its trigger is pointed at or has the focus by key,
 * and while the pointer is upon the tooltip itself; gone with Escape, without moving anything (WCAG
 * 1.4.13), and when its trigger is pressed. It lies in the browser's top layer, at a side where there is
 * room (floating-ui). What it says is the caller's: `<button {@attach tip.trigger}>` and
 * `{#if tip.isShown}<… {@attach tip.box}>`.
 */
import {
  autoUpdate,
  computePosition,
  flip,
  shift,
  size,
  type Placement,
  type ReferenceElement,
} from '@floating-ui/dom';
import type { Attachment } from 'svelte/attachments';
import { on } from 'svelte/events';

/** Minimum distance from the floating element to the edge of the window, in CSS pixels. */
const EDGE = 6;
/** Maximum width in CSS pixels: wider lines are hard to read. */
const WIDEST = 352;

export class Tip {
  #anchor = $state.raw<Element>();
  #box: Element | undefined;
  readonly #side: Placement;

  /** The preferred side of its trigger. */
  constructor(side: Placement = 'bottom') {
    this.#side = side;
  }

  get isShown(): boolean {
    return this.#anchor !== undefined;
  }

  /** For the element that is explained. */
  readonly trigger: Attachment = (node) => {
    const show = () => (this.#anchor = node);
    const hide = () => (this.#anchor = undefined);
    const undo = [
      on(node, 'pointerenter', (event) => {
        if ((event as PointerEvent).pointerType !== 'touch') show();
      }),
      on(node, 'pointerleave', (event) => {
        if (!this.#holds(event as PointerEvent)) hide();
      }),
      on(node, 'focus', () => {
        if (node.matches(':focus-visible')) show();
      }),
      on(node, 'blur', hide),
      // Whoever presses it knows what it is, and looks at what comes of it.
      on(node, 'pointerdown', (event) => {
        if ((event as PointerEvent).pointerType !== 'touch') hide();
      }),
    ];
    return () => undo.forEach((one) => one());
  };

  /** For a trigger without another action, so that it works by touch, too. */
  readonly press: Attachment = (node) => {
    let wasShown = false;
    const undo = [
      on(node, 'pointerdown', (event) => {
        // A mouse has shown it already by pointing; a second touch hides it.
        wasShown = this.isShown && (event as PointerEvent).pointerType === 'touch';
      }),
      on(node, 'click', () => (this.#anchor = wasShown ? undefined : node)),
      on(window, 'pointerdown', ({ target }) => {
        const isHere = target instanceof Node && (node.contains(target) || this.#holdsNode(target));
        if (!isHere) this.#anchor = undefined;
      }),
    ];
    return () => undo.forEach((one) => one());
  };

  /** For the tooltip: an element with `popover="manual"`, present only while `isShown`. */
  readonly box: Attachment<HTMLElement> = (node) => {
    const anchor = this.#anchor;
    if (anchor === undefined) return undefined;
    this.#box = node;
    const hide = () => (this.#anchor = undefined);
    const undo = [
      floatBeside(anchor, node, this.#side),
      dismissable(hide),
      on(node, 'pointerleave', (event) => {
        const to = (event as PointerEvent).relatedTarget;
        if (!(to instanceof Node && anchor.contains(to))) hide();
      }),
    ];
    return () => undo.forEach((one) => one());
  };

  /** Whether the pointer moves into the tooltip. */
  #holds({ relatedTarget }: PointerEvent): boolean {
    return relatedTarget instanceof Node && this.#holdsNode(relatedTarget);
  }

  #holdsNode(node: Node): boolean {
    return this.#box?.contains(node) === true;
  }
}

/** Handles Escape wherever the focus is, and no other key. Returns a function that undoes it. */
export function dismissable(dismiss: () => void): () => void {
  return on(
    window,
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return;
      event.stopPropagation();
      dismiss();
    },
    { capture: true },
  );
}

/**
 * Shows an element with `popover` in the top layer beside another, and keeps it there while the page
 * scrolls or changes. Returns a function that undoes it.
 */
export function floatBeside(
  anchor: ReferenceElement,
  node: HTMLElement,
  placement: Placement,
): () => void {
  node.showPopover();
  return autoUpdate(anchor, node, () => void placeBeside(anchor, node, placement), {
    layoutShift: false,
  });
}

/**
 * Places a floating element beside its anchor's current position: on the preferred side, or where there is
 * room.
 */
export async function placeBeside(
  anchor: ReferenceElement,
  node: HTMLElement,
  placement: Placement,
): Promise<void> {
  const { x, y } = await computePosition(anchor, node, {
    strategy: 'fixed',
    placement,
    middleware: [
      flip({ padding: EDGE }),
      shift({ padding: EDGE, crossAxis: true }),
      size({
        padding: EDGE,
        apply: ({ availableWidth }) => {
          node.style.maxWidth = `${Math.min(availableWidth, WIDEST)}px`;
        },
      }),
    ],
  });
  node.style.translate = `${Math.round(x)}px ${Math.round(y)}px`;
}
