/**
 * Paints the clouds of the layer plot on a canvas: each layer has its own shape and shade, the selected
 * packet is on top. Positions come from the scene, colours from the page's tokens.
 */
import type { PacketId } from '../core/core.ts';
import {
  POINT_SHAPES,
  thinned,
  type Cloud,
  type LayerPlot,
  type PointShape,
} from '../scene/inspect/layer-plot.ts';

export interface PlotLook {
  readonly width: number;
  readonly height: number;
  /** Canvas pixels for each CSS pixel. */
  readonly density: number;
  /** The packet that is pointed at or selected: its points have rings. */
  readonly marked: PacketId | undefined;
  /** The current theme, a part of the geometry because another theme needs a new painting. */
  readonly theme: string;
}

/** The headers' colours, as on the stage's capsules, then ink; shapes differ too. */
const SHADES = ['--shell-link', '--shell-network', '--shell-transport', '--packet', '--ink-muted'];

export function shapeOf(layer: number): PointShape {
  return POINT_SHAPES[layer % POINT_SHAPES.length]!;
}

export function shadeOf(layer: number): string {
  return SHADES[layer % SHADES.length]!;
}

/** Path of a point around the origin, 6 pixels wide; also drawn beside the layer's name. */
export function pathOf(shape: PointShape): string {
  switch (shape) {
    case 'circle':
      return 'M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0';
    case 'cross':
      return 'M-3-3 3 3M3-3-3 3';
    case 'square':
      return 'M-3-3H3V3H-3Z';
    case 'triangle':
      return 'M0-3.5 3.5 3H-3.5Z';
    case 'plus':
      return 'M-3.5 0H3.5M0-3.5V3.5';
    case 'diamond':
      return 'M0-4 4 0 0 4-4 0Z';
  }
}

export function paintPlot(canvas: HTMLCanvasElement, plot: LayerPlot, look: PlotLook): void {
  const { width, height, density } = look;
  const context = canvas.getContext('2d');
  if (context === null) return;
  const style = getComputedStyle(canvas);
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(height * density);
  context.setTransform(density, 0, 0, density, 0, 0);
  context.clearRect(0, 0, width, height);
  context.lineWidth = 1.25;
  for (const cloud of plot.clouds) {
    const path = new Path2D(pathOf(shapeOf(cloud.layer)));
    context.strokeStyle = style.getPropertyValue(shadeOf(cloud.layer));
    for (const index of thinned(cloud, width, height)) {
      context.save();
      context.translate(cloud.x[index]! * width, (1 - cloud.y[index]!) * height);
      context.stroke(path);
      context.restore();
    }
  }
  if (look.marked === undefined) return;
  const marked = plot.across(look.marked) * width;
  context.strokeStyle = style.getPropertyValue('--ink');
  context.beginPath();
  context.moveTo(marked, 0);
  context.lineTo(marked, height);
  context.stroke();
  for (const cloud of plot.clouds) ringPacket(context, plot, cloud, look, look.marked);
}

function ringPacket(
  context: CanvasRenderingContext2D,
  plot: LayerPlot,
  cloud: Cloud,
  { width, height }: PlotLook,
  packet: PacketId,
): void {
  const place = Math.fround(plot.across(packet));
  cloud.x.forEach((x, index) => {
    if (x !== place) return;
    context.beginPath();
    context.arc(x * width, (1 - cloud.y[index]!) * height, 6, 0, 2 * Math.PI);
    context.lineWidth = 2;
    context.stroke();
  });
}
