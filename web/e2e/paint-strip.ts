/**
 * Paints moments of a film below and beside each other, as the stage does, on a canvas of an empty
 * page: films.spec.ts puts this into that page.
 */
import type { Mark } from '../scene/marks.ts';
import { paint } from '../stage/paint.ts';
import { paletteOf } from '../stage/palette.ts';

export interface Strip {
  /** The marks of each moment, in the pixels of its room. */
  readonly moments: readonly (readonly Mark[])[];
  readonly room: { readonly width: number; readonly height: number };
  readonly columns: number;
  /** How large a moment is, of its room. */
  readonly scale: number;
}

export function paintStrip(
  canvas: HTMLCanvasElement,
  { moments, room, columns, scale }: Strip,
): void {
  const palette = paletteOf(canvas);
  const [width, height] = [room.width * scale, room.height * scale];
  canvas.width = columns * width;
  canvas.height = Math.ceil(moments.length / columns) * height;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('no canvas to paint on');
  context.fillStyle = palette.colour('panel');
  context.fillRect(0, 0, canvas.width, canvas.height);
  moments.forEach((marks, at) => {
    context.setTransform(
      scale,
      0,
      0,
      scale,
      (at % columns) * width,
      Math.floor(at / columns) * height,
    );
    paint(context, marks, palette);
  });
}
