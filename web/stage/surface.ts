/**
 * The two canvases of the stage as one surface: what still shapes stand on beneath what moving ones do, with
 * their colours and their measure of texts. What stands still is painted anew only where it changed.
 */
import type { Mark } from '../scene/marks.ts';
import { marksOf } from '../scene/marks.ts';
import type { Measure, Shape } from '../scene/shapes.ts';
import { clear, measureOn, paint } from './paint.ts';
import type { Palette } from './palette.ts';
import { paletteOf } from './palette.ts';

export interface Surface {
  readonly under: CanvasRenderingContext2D;
  readonly over: CanvasRenderingContext2D;
  readonly palette: Palette;
  readonly measure: Measure;
  readonly theme: string | undefined;
}

/** Takes the theme's name so that colours and fonts are read anew when it changes. */
export function surfaceOf(
  under: HTMLCanvasElement | undefined,
  over: HTMLCanvasElement | undefined,
  theme: string | undefined,
): Surface | undefined {
  const [below, above] = [under?.getContext('2d'), over?.getContext('2d')];
  if (!below || !above) return undefined;
  const palette = paletteOf(above.canvas);
  return { under: below, over: above, palette, measure: measureOn(above, palette), theme };
}

export interface Painted {
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Device pixels for each of them. */
  readonly ratio: number;
  readonly scale: number;
  readonly ground: readonly Shape[];
  readonly moving: readonly Mark[];
}

export class Painter {
  #still:
    { readonly ground: unknown; readonly ratio: number; readonly surface: Surface } | undefined;

  paint(surface: Surface, { width, height, ratio, scale, ground, moving }: Painted): void {
    const { under, over, palette } = surface;
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    for (const { canvas } of [under, over]) this.#fit(canvas, w, h);
    const still = this.#still;
    if (still?.ground !== ground || still.ratio !== ratio || still.surface !== surface) {
      clear(under, ratio);
      paint(
        under,
        ground.flatMap((shape) => marksOf(shape, scale)),
        palette,
      );
      this.#still = { ground, ratio, surface };
    }
    clear(over, ratio);
    paint(over, moving, palette);
  }

  /** A canvas that gets another size is empty. */
  #fit(canvas: HTMLCanvasElement, width: number, height: number): void {
    if (canvas.width === width && canvas.height === height) return;
    canvas.width = width;
    canvas.height = height;
    this.#still = undefined;
  }
}
