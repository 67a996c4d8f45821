/**
 * What the viewer has pointed at: the same packet, range and filters are marked in every
 * view, so they are kept once, here.
 */
import { NONE, type Glossary, type PacketId } from '../core/core.ts';
import type { JourneyQuery } from '../core/journeys.ts';
import type { Stretch } from './advance.ts';

/** What the pointer or the focus rests on: a packet, or a word of one of the glossary's lists. */
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
  /** Which journeys the table shows, in which order. */
  get filters(): JourneyQuery {
    return this.#filters;
  }
  /** The stage keeps a packet in view: the selected one, or else the one that the film is about. */
  get isFollowing(): boolean {
    return this.#isFollowing;
  }
  /** The packet that the viewer chose and that the stage keeps in view. */
  get followed(): PacketId | undefined {
    return this.#isFollowing ? this.#packet : undefined;
  }

  /** Chooses a packet in every view; nothing: chooses none. */
  select(packet: PacketId | undefined): void {
    this.#packet = packet === NONE ? undefined : packet;
  }

  /** Chooses a packet and keeps it in view. */
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

  /** Marks a range in either order; nothing: no range. */
  setRange(range: Stretch | undefined): void {
    this.#range = range && {
      from: Math.min(range.from, range.to),
      to: Math.max(range.from, range.to),
    };
  }

  setFilters(filters: JourneyQuery): void {
    this.#filters = filters;
  }

  /** Another run: its packets are others. */
  clear(): void {
    this.#packet = undefined;
    this.#hovered = undefined;
    this.#range = undefined;
    this.#filters = ALL_JOURNEYS;
    this.#isFollowing = false;
  }
}
