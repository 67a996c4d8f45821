/**
 * What a scene is made of: shapes with a place, a meaning and a colour by name, and the
 * things that can be pointed at. No shape knows how it is painted; `marks.ts` says that.
 *
 * Lengths are CSS pixels from the stage's upper left corner.
 */
import type {
  BladeShape,
  BridgeShape,
  CardShape,
  RailShape,
  RefusedShape,
  TetherShape,
  TrailShape,
  VesselShape,
} from './place-shapes.ts';
import type { GridShape, TankShape } from './view-shapes.ts';
import type { SHELLS } from './rows.ts';
import type { Nanos, PacketId, VerdictName } from '../core/core.ts';

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A custom property of `web/ui/tokens.css`, without its dashes. */
export type Colour =
  | 'page'
  | 'panel'
  | 'well'
  | 'line'
  | 'line-strong'
  | 'ink'
  | 'ink-soft'
  | 'ink-muted'
  | 'chosen'
  | 'focus'
  | 'idle'
  | 'on-idle'
  | 'hardirq'
  | 'softirq'
  | 'kernel'
  | 'user'
  | 'lock'
  | 'cache'
  | 'on-hardirq'
  | 'on-softirq'
  | 'on-kernel'
  | 'on-user'
  | 'on-lock'
  | 'on-cache'
  | 'lock-text'
  | 'cache-text'
  | 'packet'
  | 'packet-seam'
  | 'on-packet'
  | 'shell-link'
  | 'shell-network'
  | 'shell-transport'
  | 'on-shell-link'
  | 'on-shell-network'
  | 'on-shell-transport'
  | 'slot-empty';

/** Whatever can be pointed at, chosen or explained. Words are indices into the glossary. */
export type Thing =
  | { readonly kind: 'packet'; readonly packet: PacketId; readonly piece: number }
  | { readonly kind: 'packets'; readonly place: string; readonly packets: readonly PacketId[] }
  | { readonly kind: 'drop'; readonly packet: PacketId; readonly reason: number }
  | { readonly kind: 'station'; readonly station: number }
  | { readonly kind: 'queue'; readonly queue: number }
  /** A row of the kernel, where it is one lane of the stage with that lane's id. */
  | { readonly kind: 'row'; readonly row: RowName; readonly lane?: string }
  | { readonly kind: 'cpu'; readonly cpu: number }
  | { readonly kind: 'cache'; readonly cpu: number }
  | { readonly kind: 'hand-over'; readonly from: number; readonly to: number }
  /** Of a model: by index in the lists of `Opened.machine`, or all of a kind. */
  | { readonly kind: 'lock'; readonly lock: number }
  | { readonly kind: 'locks' }
  | { readonly kind: 'timer'; readonly timer: number }
  | { readonly kind: 'costs' };

export type RowName =
  'process' | 'socket' | 'transport' | 'ip' | 'net-core' | 'driver' | 'ring' | 'wire' | 'caches';

export interface Base {
  /** The box that it fills, and in which it is hit. */
  readonly rect: Rect;
  /** What pointing at it means, if anything. */
  readonly thing?: Thing | undefined;
  /** Drawn fainter, as somebody else is followed. */
  readonly isDim?: boolean;
}

/** A rounded area: a CPU's column, a slot's bed, a process's card. */
export interface PanelShape extends Base {
  readonly kind: 'panel';
  readonly fill: Colour | undefined;
  readonly line: Colour | undefined;
  readonly lineWidth?: number | undefined;
  readonly radius: number;
  readonly isDashed: boolean;
  /** It has the pins of a chip along its upper edge. */
  readonly hasPins?: boolean;
}

export interface LabelShape extends Base {
  readonly kind: 'label';
  readonly text: string;
  readonly size: number;
  readonly colour: Colour;
  readonly align: 'left' | 'center' | 'right';
  readonly isBold: boolean;
  readonly isMono: boolean;
  /** Stands on a plate of its own, for labels above other shapes. */
  readonly isPlate: boolean;
}

/** A line between two rows, or between the ways up and down. */
export interface RuleShape extends Base {
  readonly kind: 'rule';
}

/** What a CPU does now, in a word upon its colour. */
export interface PillShape extends Base {
  readonly kind: 'pill';
  readonly text: string;
  readonly size: number;
  readonly fill: Colour;
  readonly colour: Colour;
}

/** A CPU's recent past; the higher a band, the more urgent the context, so colour is not alone. */
export interface StripShape extends Base {
  readonly kind: 'strip';
  readonly bands: readonly Band[];
}

export interface Band {
  readonly x: number;
  readonly width: number;
  /** 0 to 1. */
  readonly height: number;
  readonly fill: Colour;
}

/** How full something is. */
export interface GaugeShape extends Base {
  readonly kind: 'gauge';
  /** 0 to 1. */
  readonly share: number;
}

/** The descriptors of a ring as empty boxes; packets stand upon them. */
export interface RingShape extends Base {
  readonly kind: 'ring';
  readonly boxes: number;
  readonly pitch: number;
}

/** A packet: payload frames behind the header shells that it still wears. */
export interface CapsuleShape extends Base {
  readonly kind: 'capsule';
  readonly packet: PacketId;
  readonly piece: number;
  /** Outermost first; the outermost may be half on or half off: its `share` is below 1. */
  readonly shells: readonly Shell[];
  /** What it may be called, the longest first; the first that fits stands on it. */
  readonly names: readonly string[];
  /** The packet of which it is a piece: pieces of one packet look alike. */
  readonly kin: number;
  /** Where payload frames meet, as x. */
  readonly seams: readonly number[];
  /** Where the frames of the link meet that it is merged from or will be cut into, as x. */
  readonly joints: readonly number[];
  /** Which of these parts, from 0, are still on their way: their places are empty. */
  readonly awaited: readonly number[];
  /** Room between its parts while the device cuts it, in pixels. */
  readonly split: number;
  readonly isServed: boolean;
  /** 1 while in flight; less while it fades after its end. */
  readonly alpha: number;
  readonly mark: Emphasis;
}

export interface Shell {
  readonly fill: (typeof SHELLS)[number];
  /** `E`, `IP`, `UDP`. */
  readonly letters: string;
  /** 1 while it is worn; less while it lifts off. */
  readonly share: number;
}

export type Emphasis = 'none' | 'pointed' | 'chosen';

/** More packets than there is room for, as one pile with their number. */
export interface StackShape extends Base {
  readonly kind: 'stack';
  readonly count: number;
  readonly text: string;
  readonly size: number;
  readonly mark: Emphasis;
}

/** Segments fused into the byte stream of a receive queue. */
export interface StreamShape extends Base {
  readonly kind: 'stream';
  readonly count: number;
  /** Where segments meet, as x; only where there is room to see it. */
  readonly seams: readonly number[];
  /** Its segments in order, each with where it ends, as x. */
  readonly segments: readonly Segment[];
}

export interface Segment {
  readonly packet: PacketId;
  readonly piece: number;
  readonly x: number;
  readonly width: number;
  readonly mark: Emphasis;
  /** What stands on it, where there is room. */
  readonly text?: string;
}

/** A datagram that waits for its fragments: what came, and holes where something is missing. */
export interface AssemblyShape extends Base {
  readonly kind: 'assembly';
  readonly group: number;
  /** The fragments that are in place. */
  readonly pieces: readonly Segment[];
  /** How many there will be. */
  readonly holes: number;
  /** False while nobody knows where it ends: its right side stays open. */
  readonly isSizeKnown: boolean;
}

/** A packet that was thrown away, falling out of the queue that refused it. */
export interface DropShape extends Base {
  readonly kind: 'drop';
  readonly packet: PacketId;
  /** What it is called. */
  readonly name: string;
  readonly turn: number;
  readonly alpha: number;
}

/** What a CPU's cache holds of the packets in flight, in cells. */
export interface CacheShape extends Base {
  readonly kind: 'cache';
  readonly columns: number;
  readonly rows: number;
  readonly filled: number;
}

/** What a model's cache holds, by kind: parts of one colour, each as strong as its kind. */
export interface StackedShape extends Base {
  readonly kind: 'stacked';
  readonly parts: readonly {
    readonly x: number;
    readonly width: number;
    /** 0 to 1. */
    readonly strength: number;
  }[];
  /** Whether what is left of the room is to be seen. */
  readonly isBedded: boolean;
}

/** Packets whose bytes, or a model's cache lines, move from one CPU's cache to another's. */
export interface ArcShape extends Base {
  readonly kind: 'arc';
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly depth: number;
  readonly thickness: number;
  /** Those that are on their way now: 0 at the start of the arc, 1 at its end. */
  readonly dots: readonly number[];
  /** The same for a model's lines. */
  readonly squares?: readonly number[];
  /** Of the line; a cache's without it. */
  readonly colour?: Colour;
  /** How large these are; as small as dots without it. */
  readonly squareSize?: number;
}

export type Shape =
  | PanelShape
  | LabelShape
  | RuleShape
  | VesselShape
  | RailShape
  | BridgeShape
  | TetherShape
  | TrailShape
  | RefusedShape
  | BladeShape
  | CardShape
  | PillShape
  | StripShape
  | GaugeShape
  | RingShape
  | CapsuleShape
  | StackShape
  | StreamShape
  | AssemblyShape
  | DropShape
  | CacheShape
  | StackedShape
  | GridShape
  | TankShape
  | ArcShape;

/** How wide a text is; passed in, as only the page knows its fonts. */
export type Measure = (text: string, size: number, isBold: boolean, isMono: boolean) => number;

/** The page that a scene is laid out for. */
export interface Viewport {
  readonly width: number;
  readonly height: number;
  readonly measure: Measure;
  /** The viewer's text size: 1, up to 2.5. */
  readonly textSize?: number;
}

/** A stay of the followed packet, as `StayRow` has it. */
export interface WayStay {
  readonly station: number;
  readonly cpu: number;
  readonly enter: Nanos;
  readonly leave: Nanos;
  readonly service: Nanos;
}

/** How the way of the followed packet ends. */
export interface WayEnd {
  readonly time: Nanos;
  readonly verdict: VerdictName;
}

/** What the viewer does and how fast time runs for him. */
export interface View {
  /** How long a hop takes, in seconds of film; 0 lets packets jump. */
  readonly travel: number;
  /** Seconds of film from the frame's moment to when the run reaches a time; negative in the past. */
  readonly filmTo: (time: Nanos) => number;
  /** How long what ended stays to be seen, as the frame was asked for. */
  readonly linger: Nanos;
  readonly selected: PacketId | undefined;
  /** The packet that the camera is with; what carries it while it is merged or in pieces. */
  readonly followed?: PacketId | undefined;
  /** The packet that the told film is about: the eye finds it, and the camera stays. */
  readonly actor?: PacketId | undefined;
  /** What it is called. */
  readonly followedLabel?: string | undefined;
  /** The stays of the followed packet, and of what carries it on, in order. */
  readonly way?: readonly WayStay[] | undefined;
  readonly wayEnd?: WayEnd | undefined;
  /** Its name, where the journey is known. */
  readonly selectedLabel: string | undefined;
  readonly hovered: PacketId | undefined;
}

export function assertNever(value: never): never {
  throw new Error(`not a case: ${JSON.stringify(value)}`);
}

/** One text for one thing: the same for the same thing in every frame. */
export function thingKey(thing: Thing): string {
  switch (thing.kind) {
    case 'packet':
      return `packet ${thing.packet}.${thing.piece}`;
    case 'packets':
      return `packets ${thing.place}`;
    case 'drop':
      return `drop ${thing.packet}`;
    case 'station':
      return `station ${thing.station}`;
    case 'queue':
      return `queue ${thing.queue}`;
    case 'row':
      return `row ${thing.row}`;
    case 'cpu':
      return `cpu ${thing.cpu}`;
    case 'cache':
      return `cache ${thing.cpu}`;
    case 'hand-over':
      return `hand-over ${thing.from} ${thing.to}`;
    case 'lock':
      return `lock ${thing.lock}`;
    case 'timer':
      return `timer ${thing.timer}`;
    case 'locks':
    case 'costs':
      return thing.kind;
    default:
      return assertNever(thing);
  }
}
