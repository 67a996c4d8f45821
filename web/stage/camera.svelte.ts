/**
 * The camera of the way: a function of the moment while it is with one packet, and a short glide
 * when it goes to another one, or lets go. To be made while a component is set up.
 */
import { cubicInOut } from 'svelte/easing';
import { prefersReducedMotion, Tween } from 'svelte/motion';
import type { PacketId } from '../core/core.ts';
import { mixedFocus, type Focus } from '../scene/layout.ts';

const GLIDE_MS = 320;

export class Camera {
  readonly #wanted: () => Focus;
  readonly #glide = new Tween(1, { easing: cubicInOut });
  #from = $state.raw<Focus>();
  #last: Focus;
  #whom: PacketId | undefined;

  /**
   * `whom` says whom it is with: a glide begins when that changes. `wanted` says where it is to be
   * at this moment; it is asked once a moment.
   */
  constructor(whom: () => PacketId | undefined, wanted: () => Focus) {
    this.#wanted = wanted;
    this.#last = wanted();
    this.#whom = whom();
    // The tween is Svelte's, but moves outside of its derivations.
    $effect.pre(() => {
      const now = whom();
      const { focus } = this;
      if (now === this.#whom) {
        this.#last = focus;
        return;
      }
      this.#whom = now;
      this.#from = this.#last;
      void this.#glide.set(0, { duration: 0 });
      void this.#glide.set(1, { duration: prefersReducedMotion.current ? 0 : GLIDE_MS });
    });
  }

  /** As a text, so that what is laid out by it is made anew only when the camera moves. */
  #place = $derived.by(() => {
    const wanted = this.#wanted();
    const share = this.#glide.current;
    const isThere = this.#from === undefined || share >= 1;
    return textOf(isThere ? wanted : mixedFocus(this.#from ?? wanted, wanted, share));
  });
  #focus = $derived(focusIn(this.#place));
  get focus(): Focus {
    return this.#focus;
  }
}

function textOf({ cpus, lanes }: Focus): string {
  return JSON.stringify([[...cpus], [...lanes]]);
}

function focusIn(text: string): Focus {
  const [cpus, lanes] = JSON.parse(text) as [[number, number][], [string, number][]];
  return { cpus: new Map(cpus), lanes: new Map(lanes) };
}
