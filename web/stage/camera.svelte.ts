/**
 * The camera of the stage: a function of the time of the run while
 * it follows one packet, and a short glide when it turns to another
 * packet or to none. Create it while a component is initialised.
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
   * `whom` names what it follows: a glide begins when that changes. `wanted`
   * is its position at the current moment; it is called once a moment.
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

  /**
   * The position as a text, so that a layout that depends on
   * it is made anew only when the camera moves.
   */
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
