/**
 * Packet number against layer time, as the 2005 report plots it (Demter et al. 2005, figure 5.2): a cloud
 * of points for each layer, each with its own shape. Positions are fractions of the width, and of the
 * height from below; points of a cloud on the same pixel are thinned out.
 */
import type { LayerTimes } from '../../core/measures.ts';
import type { Nanos, PacketId } from '../../core/core.ts';
import { valueScale, type ScaleKind, type ValueScale } from './value-scale.ts';

export const POINT_SHAPES = ['circle', 'cross', 'square', 'triangle', 'plus', 'diamond'] as const;
export type PointShape = (typeof POINT_SHAPES)[number];

export interface Cloud {
  /** Index in the answer's layers. */
  readonly layer: number;
  readonly x: Float32Array;
  readonly y: Float32Array;
}

export interface LayerPlot {
  readonly clouds: readonly Cloud[];
  readonly firstPacket: PacketId;
  readonly lastPacket: PacketId;
  readonly scale: ValueScale;
  /** Horizontal position of a packet. */
  across(packet: PacketId): number;
}

export interface Hit {
  readonly layer: number;
  readonly packet: PacketId;
  readonly nanos: Nanos;
}

/** The plot of the layers that the viewer has chosen; the axes fit only those. */
export function layerPlot(
  { layers }: LayerTimes,
  isShown: (layer: number) => boolean,
  kind: ScaleKind,
): LayerPlot {
  let least = Infinity;
  let most = 0;
  let firstPacket = Infinity;
  let lastPacket = 0;
  layers.forEach(({ packet, nanos }, layer) => {
    if (!isShown(layer)) return;
    for (let index = 0; index < packet.length; index += 1) {
      least = Math.min(least, nanos[index]!);
      most = Math.max(most, nanos[index]!);
      firstPacket = Math.min(firstPacket, packet[index]!);
      lastPacket = Math.max(lastPacket, packet[index]!);
    }
  });
  if (least === Infinity) least = 0;
  if (firstPacket === Infinity) firstPacket = 0;
  const scale = valueScale(kind, least, most);
  const span = lastPacket - firstPacket;
  const across = (packet: PacketId) => (span === 0 ? 0.5 : (packet - firstPacket) / span);
  const clouds = layers.flatMap(({ packet, nanos }, layer) =>
    isShown(layer)
      ? [
          {
            layer,
            x: Float32Array.from(packet, across),
            y: Float32Array.from(nanos, (time) => scale.at(time)),
          },
        ]
      : [],
  );
  return { clouds, firstPacket, lastPacket, scale, across };
}

/** The points of a cloud that differ by at least a pixel on an area of this size. */
export function thinned({ x, y }: Cloud, width: number, height: number): Uint32Array {
  const taken = new Set<number>();
  const kept: number[] = [];
  for (let index = 0; index < x.length; index += 1) {
    const pixel = Math.round(x[index]! * width) * (height + 1) + Math.round(y[index]! * height);
    if (taken.has(pixel)) continue;
    taken.add(pixel);
    kept.push(index);
  }
  return Uint32Array.from(kept);
}

/** The point nearest to a position, given as fractions, within a distance in pixels. */
export function pointNear(
  plot: LayerPlot,
  { layers }: LayerTimes,
  place: { readonly x: number; readonly y: number },
  area: { readonly width: number; readonly height: number },
  reach: number,
): Hit | undefined {
  let nearest = reach * reach;
  let hit: Hit | undefined;
  for (const { layer, x, y } of plot.clouds) {
    for (let index = 0; index < x.length; index += 1) {
      const dx = (x[index]! - place.x) * area.width;
      const dy = (y[index]! - place.y) * area.height;
      const distance = dx * dx + dy * dy;
      if (distance > nearest) continue;
      nearest = distance;
      const { packet, nanos } = layers[layer]!;
      hit = { layer, packet: packet[index]!, nanos: nanos[index]! };
    }
  }
  return hit;
}

/** The time of a packet in each layer that it passed. */
export function timesOfPacket({ layers }: LayerTimes, wanted: PacketId): readonly Hit[] {
  return layers.flatMap(({ packet, nanos }, layer) =>
    Array.from(packet.keys())
      .filter((index) => packet[index] === wanted)
      .map((index) => ({ layer, packet: wanted, nanos: nanos[index]! })),
  );
}
