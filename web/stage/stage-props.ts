/**
 * What the stage is given and what it reports. It changes no state
 * itself; its owner, which has the session and the selection, does.
 */
import type { Glossary, Nanos, Opened, PacketId } from '../core/core.ts';
import type { Frame } from '../core/frame.ts';
import type { Lanes } from '../core/lanes.ts';
import type { StageView } from '../core/stage-view.ts';
import type { Ringed } from '../scene/rings.ts';
import type { Thing, WayEnd, WayStay } from '../scene/shapes.ts';

export interface StageProps {
  readonly glossary: Glossary;
  readonly run: Opened;
  readonly frame: Frame;
  /** Which view of the moment is shown. */
  readonly stageView: StageView;
  /** The transition from the view before, with its progress from 0 to 1. */
  readonly turn?: { readonly from: StageView; readonly share: number } | undefined;
  /** The recent past up to now, for the strips in the heads of the CPUs. */
  readonly past?: Lanes | undefined;
  readonly selected?: PacketId | undefined;
  /** The chosen packet's own name, once its journey is known. */
  readonly selectedLabel?: string | undefined;
  readonly hovered?: PacketId | undefined;
  /** The packet that the camera follows, its name and its stays. */
  readonly followed?: PacketId | undefined;
  readonly followedLabel?: string | undefined;
  /** The packet that the told film is about. */
  readonly actor?: PacketId | undefined;
  readonly way?: readonly WayStay[] | undefined;
  readonly wayEnd?: WayEnd | undefined;
  /** From when its times count, where that is not from its first event. */
  readonly waySince?: string | undefined;
  /** The things that a lesson's step puts a ring around. */
  readonly ringed?: readonly Ringed[] | undefined;
  /** The viewer's text size: 1, up to 2.5. */
  readonly textSize?: number;
  /** Seconds of film from this moment to when the run reaches a time. */
  readonly filmTo: (time: Nanos) => number;
  /** The linger with which the frame was asked for: the time of the run in about 0.5 s of film. */
  readonly linger: Nanos;
  readonly isPlaying?: boolean;
  /** It has the window to itself: Escape is for leaving that. */
  readonly isAlone?: boolean;
  /** Any value that changes when the colours do. */
  readonly theme?: string | undefined;
  readonly onSelect?: (packet: PacketId | undefined) => void;
  readonly onHover?: ((thing: Thing | undefined) => void) | undefined;
  /** The keyboard came to another thing: what it is, and what is always said in English. */
  readonly onTell?: ((text: string, english: string) => void) | undefined;
  /** A thing other than a packet was chosen: the owner may offer ways to change the run there. */
  readonly onHandle?: ((thing: Thing) => void) | undefined;
}
