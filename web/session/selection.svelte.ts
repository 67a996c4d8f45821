/**
 * The viewer's selection: one packet, range and set of filters, kept here because every view marks them.
 */
import { NONE, type Glossary, type PacketId, type Stretch } from '../core/core.ts';
import type { JourneyQuery } from '../core/journeys.ts';

/** What the pointer or the focus is on: a packet, or an entry of one of the glossary's lists. */
export type Hovered =
  | { readonly kind: 'packet'; readonly packet: PacketId }
  | { readonly kind: 'word'; readonly list: keyof Glossary; readonly index: number };

export const ALL_JOURNEYS: JourneyQuery = { sort: 'start', isDescending: false };

export class Selection {
  #packet = $state<PacketId>();
  #hovered = $state.raw<Hovered>();
  #range = $state.raw<Stretch>();
  #filters = $state.raw<JourneyQuery>(ALL_JOURNEYS);
  #isFollowing = $state(false);

  get packet(): PacketId | undefined {
    return this.#packet;
  }
  get hovered(): Hovered | undefined {
    return this.#hovered;
  }
  /** A range of the time line, for measures and loops. */
  get range(): Stretch | undefined {
    return this.#range;
  }
  /** The filter and order of the journey table. */
  get filters(): JourneyQuery {
    return this.#filters;
  }
  /** Whether the stage keeps a packet in view: the selected one, or else the one that the film is about. */
  get isFollowing(): boolean {
    return this.#isFollowing;
  }
  /** The packet that the viewer chose and that the stage keeps in view. */
  get followed(): PacketId | undefined {
    return this.#isFollowing ? this.#packet : undefined;
  }

  /** Selects a packet in every view; `undefined`: none. */
  select(packet: PacketId | undefined): void {
    this.#packet = packet === NONE ? undefined : packet;
  }

  /** Selects a packet and keeps it in view. */
  followPacket(packet: PacketId): void {
    this.select(packet);
    this.#isFollowing = true;
  }

  setFollowing(isFollowing: boolean): void {
    this.#isFollowing = isFollowing;
  }

  hover(hovered: Hovered | undefined): void {
    this.#hovered = hovered;
  }

  /** Selects a range, given in either order; `undefined`: none. */
  setRange(range: Stretch | undefined): void {
    this.#range = range && {
      from: Math.min(range.from, range.to),
      to: Math.max(range.from, range.to),
    };
  }

  setFilters(filters: JourneyQuery): void {
    this.#filters = filters;
  }

  /** Another run, with other packets: clears the selection. */
  clear(): void {
    this.#packet = undefined;
    this.#hovered = undefined;
    this.#range = undefined;
    this.#filters = ALL_JOURNEYS;
    this.#isFollowing = false;
  }
}
