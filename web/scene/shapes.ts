/**
 * The elements of a scene: shapes with a place, a meaning and a colour by name, and the things that can be
 * pointed at. How a shape is painted is left to `marks.ts`.
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

/** Whatever can be pointed at, selected or explained. Words are indices into the glossary. */
export type Thing =
  | { readonly kind: 'packet'; readonly packet: PacketId; readonly piece: number }
  | { readonly kind: 'packets'; readonly place: string; readonly packets: readonly PacketId[] }
  | { readonly kind: 'drop'; readonly packet: PacketId; readonly reason: number }
  | { readonly kind: 'station'; readonly station: number }
  | { readonly kind: 'queue'; readonly queue: number }
  /** A row of the kernel; with a lane's id if it is one lane of the stage. */
  | { readonly kind: 'row'; readonly row: RowName; readonly lane?: string }
  | { readonly kind: 'cpu'; readonly cpu: number }
  | { readonly kind: 'cache'; readonly cpu: number }
  | { readonly kind: 'hand-over'; readonly from: number; readonly to: number }
  /** A part of a model: by index in the lists of `Opened.machine`, or all of a kind. */
  | { readonly kind: 'lock'; readonly lock: number }
  | { readonly kind: 'locks' }
  | { readonly kind: 'timer'; readonly timer: number }
  | { readonly kind: 'costs' };

export type RowName =
  'process' | 'socket' | 'transport' | 'ip' | 'net-core' | 'driver' | 'ring' | 'wire' | 'caches';

export interface Base {
  /** The box that it fills and that responds to the pointer. */
  readonly rect: Rect;
  /** The thing that it represents, if any. */
  readonly thing?: Thing | undefined;
  /** Drawn fainter because another packet is followed. */
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
  /** Whether it has the pins of a chip along its upper edge. */
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
  /** Whether it has a plate behind it, for labels above other shapes. */
  readonly isPlate: boolean;
}

/** A line between two rows, or between the receive and transmit paths. */
export interface RuleShape extends Base {
  readonly kind: 'rule';
}

/** A CPU's current activity, as a word on its colour. */
export interface PillShape extends Base {
  readonly kind: 'pill';
  readonly text: string;
  readonly size: number;
  readonly fill: Colour;
  readonly colour: Colour;
}

/** A CPU's recent past; the more urgent a context, the higher its band. */
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

/** A fill level. */
export interface GaugeShape extends Base {
  readonly kind: 'gauge';
  /** 0 to 1. */
  readonly share: number;
}

/** The descriptors of a ring as empty boxes; packets are drawn on them. */
export interface RingShape extends Base {
  readonly kind: 'ring';
  readonly boxes: number;
  readonly pitch: number;
}

/** A packet: its payload frames behind the header shells that it still has. */
export interface CapsuleShape extends Base {
  readonly kind: 'capsule';
  readonly packet: PacketId;
  readonly piece: number;
  /** Outermost first; while the outermost is being added or removed, its `share` is below 1. */
  readonly shells: readonly Shell[];
  /** Possible names, the longest first; the first that fits is drawn on it. */
  readonly names: readonly string[];
  /** The packet of which it is a piece; pieces of one packet look alike. */
  readonly kin: number;
  /** The x coordinates of the joints between payload frames. */
  readonly seams: readonly number[];
  /** The x coordinates of the joints between the link frames merged into it or to be cut from it. */
  readonly joints: readonly number[];
  /** Indices of the parts that are still in flight: their places are empty. */
  readonly awaited: readonly number[];
  /** Gap in pixels between its parts while the device segments it. */
  readonly split: number;
  readonly isServed: boolean;
  /** 1 while in flight; below 1 while it fades after its end. */
  readonly alpha: number;
  readonly mark: Emphasis;
}

export interface Shell {
  readonly fill: (typeof SHELLS)[number];
  /** `E`, `IP`, `UDP`. */
  readonly letters: string;
  /** 1 while present; below 1 while it is being added or removed. */
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

/** Segments joined to the byte stream of a receive queue. */
export interface StreamShape extends Base {
  readonly kind: 'stream';
  readonly count: number;
  /** The x coordinates of the joints between segments, only where there is room to see them. */
  readonly seams: readonly number[];
  /** Its segments in order, each with the x coordinate of its end. */
  readonly segments: readonly Segment[];
}

export interface Segment {
  readonly packet: PacketId;
  readonly piece: number;
  readonly x: number;
  readonly width: number;
  readonly mark: Emphasis;
  /** The text on it, if there is room. */
  readonly text?: string;
}

/** A datagram that waits for its fragments: those that arrived, and holes for missing ones. */
export interface AssemblyShape extends Base {
  readonly kind: 'assembly';
  readonly group: number;
  /** The fragments that are in place. */
  readonly pieces: readonly Segment[];
  /** Total number of fragments. */
  readonly holes: number;
  /** False until the last fragment is known: the right side stays open. */
  readonly isSizeKnown: boolean;
}

/** A dropped packet that falls out of its queue. */
export interface DropShape extends Base {
  readonly kind: 'drop';
  readonly packet: PacketId;
  /** The packet's name. */
  readonly name: string;
  readonly turn: number;
  readonly alpha: number;
}

/** The packets in flight that a CPU's cache holds, in cells. */
export interface CacheShape extends Base {
  readonly kind: 'cache';
  readonly columns: number;
  readonly rows: number;
  readonly filled: number;
}

/** The contents of a model's cache by kind: parts of one colour in different strengths. */
export interface StackedShape extends Base {
  readonly kind: 'stacked';
  readonly parts: readonly {
    readonly x: number;
    readonly width: number;
    /** 0 to 1. */
    readonly strength: number;
  }[];
  /** Whether the free remainder is drawn. */
  readonly isBedded: boolean;
}

/** A transfer between the caches of two CPUs: of packets' bytes, or of a model's cache lines. */
export interface ArcShape extends Base {
  readonly kind: 'arc';
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly depth: number;
  readonly thickness: number;
  /** Positions of the packets under way: 0 at the start of the arc, 1 at its end. */
  readonly dots: readonly number[];
  /** Positions of a model's cache lines under way. */
  readonly squares?: readonly number[];
  /** Colour of the line; that of a cache by default. */
  readonly colour?: Colour;
  /** Size of the squares; that of the dots by default. */
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

/** Returns the width of a text in pixels; passed in, as only the page knows its fonts. */
export type Measure = (text: string, size: number, isBold: boolean, isMono: boolean) => number;

/** The page that a scene is laid out for. */
export interface Viewport {
  readonly width: number;
  readonly height: number;
  readonly measure: Measure;
  /** The viewer's text size: a factor from 1 to 2.5. */
  readonly textSize?: number;
}

/** A sojourn of the followed packet, as in `StayRow`. */
export interface WayStay {
  readonly station: number;
  readonly cpu: number;
  readonly enter: Nanos;
  readonly leave: Nanos;
  readonly service: Nanos;
}

/** The end of the followed packet's way. */
export interface WayEnd {
  readonly time: Nanos;
  readonly verdict: VerdictName;
}

/** The viewer's selection, and the speed of the film. */
export interface View {
  /** Duration of a hop, in seconds of film; 0 lets packets jump. */
  readonly travel: number;
  /** Seconds of film from the frame's time to a time of the run; negative in the past. */
  readonly filmTo: (time: Nanos) => number;
  /** How long ended packets stay visible, as the frame was requested with. */
  readonly linger: Nanos;
  readonly selected: PacketId | undefined;
  /** The packet that the camera follows; its carrier while it is merged or in pieces. */
  readonly followed?: PacketId | undefined;
  /** The packet that the told film is about: it is highlighted, and the camera stays. */
  readonly actor?: PacketId | undefined;
  /** The name of the followed packet. */
  readonly followedLabel?: string | undefined;
  /** The sojourns of the followed packet and of its carriers, in order; its end; from when its times count. */
  readonly way?: readonly WayStay[] | undefined;
  readonly wayEnd?: WayEnd | undefined;
  readonly waySince?: string | undefined;
  /** The name of the selected packet; `undefined` if its journey is not known. */
  readonly selectedLabel: string | undefined;
  readonly hovered: PacketId | undefined;
}

export function assertNever(value: never): never {
  throw new Error(`not a case: ${JSON.stringify(value)}`);
}

/** A key for a thing, the same in every frame. */
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
