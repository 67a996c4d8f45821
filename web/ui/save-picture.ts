/**
 * A drawing of the page as a file of its own: SVG with the colours and letters that it has on the page,
 * or a PNG of it at twice its size.
 */
import { saveBytes, saveText } from './save.ts';

/** What a drawing looks like beside its shapes. */
const LOOKS = [
  ...['fill', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray'],
  ...['font-family', 'font-size', 'font-weight', 'font-variant-numeric'],
] as const;

const SCALE = 2;

/** Nothing is saved where there is no drawing. @param name without its extension */
export async function savePicture(
  drawing: SVGSVGElement | null | undefined,
  name: string,
  format: 'svg' | 'png',
): Promise<void> {
  if (!drawing) return;
  const { width, height } = drawing.getBoundingClientRect();
  const text = textOf(drawing, width, height);
  if (format === 'svg') saveText(`${name}.svg`, 'image/svg+xml', text);
  else saveBytes(`${name}.png`, 'image/png', await pngOf(text, width, height));
}

function textOf(drawing: SVGSVGElement, width: number, height: number): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  [drawing, ...drawing.querySelectorAll('*')].forEach((element, at) => {
    const style = getComputedStyle(element);
    for (const look of LOOKS) copies[at]?.style.setProperty(look, style.getPropertyValue(look));
  });
  const box = drawing.viewBox.baseVal;
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  ground.setAttribute('width', String(box.width));
  ground.setAttribute('height', String(box.height));
  ground.setAttribute('fill', getComputedStyle(document.body).backgroundColor);
  copy.prepend(ground);
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  return new XMLSerializer().serializeToString(copy);
}

async function pngOf(
  text: string,
  width: number,
  height: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [Math.round(width * SCALE), Math.round(height * SCALE)];
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) throw new Error('This browser makes no PNG.');
  return new Uint8Array(await blob.arrayBuffer());
}
