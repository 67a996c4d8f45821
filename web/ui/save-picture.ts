/**
 * Saves a drawing of the page as a file: SVG with the colours and fonts that it has on the page, or a PNG
 * at twice its size. Its context on the page, such as title, units and source, is written above and below
 * it.
 */
import { saveBytes, saveText } from './save.ts';

/** The style properties to copy into the file. */
const LOOKS = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray'],
  ...['font-family', 'font-size', 'font-weight', 'font-variant-numeric', 'text-anchor'],
] as const;

const SCALE = 2;
const SVG = 'http://www.w3.org/2000/svg';

/** The texts that a drawing needs without the page around it. */
export interface Around {
  /** The subject of the drawing, above it. */
  readonly title?: string | undefined;
  /** Units, the meaning of marks, and the source: below it, in pieces that are not broken. */
  readonly below?: readonly string[] | undefined;
}

const MARGIN = 12;
const TITLE = { size: 15, line: 22 };
const SMALL = { size: 11, line: 16 };
/** Upper bound of a letter's width, as a fraction of the text size. */
const LETTER = 0.58;

/** Saves nothing if there is no drawing. @param name without its extension */
export async function savePicture(
  drawing: SVGSVGElement | null | undefined,
  name: string,
  format: 'svg' | 'png',
  around: Around = {},
): Promise<void> {
  if (!drawing) return;
  const { width, height } = drawing.getBoundingClientRect();
  const picture = withWords(copyOf(drawing, width, height), width, height, around);
  const text = new XMLSerializer().serializeToString(picture.svg);
  if (format === 'svg') saveText(`${name}.svg`, 'image/svg+xml', text);
  else saveBytes(`${name}.png`, 'image/png', await pngOf(text, picture.width, picture.height));
}

/** Joins pieces into lines of at most `most` letters; a piece that is longer is broken between words. */
export function linesOf(pieces: readonly string[], most: number): readonly string[] {
  const lines: string[] = [];
  const add = (piece: string, joint: string) => {
    const joined = `${lines.at(-1)}${joint}${piece}`;
    if (lines.length > 0 && joined.length <= most) lines[lines.length - 1] = joined;
    else lines.push(piece);
  };
  for (const piece of pieces) {
    if (piece.length <= most) add(piece, ' · ');
    else piece.split(' ').forEach((word, at) => add(word, at === 0 ? ' · ' : ' '));
  }
  return lines;
}

function copyOf(drawing: SVGSVGElement, width: number, height: number): SVGSVGElement {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  [drawing, ...drawing.querySelectorAll('*')].forEach((element, at) => {
    const style = getComputedStyle(element);
    for (const look of LOOKS) copies[at]?.style.setProperty(look, style.getPropertyValue(look));
  });
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  return copy;
}

interface Picture {
  readonly svg: SVGSVGElement;
  readonly width: number;
  readonly height: number;
}

function withWords(copy: SVGSVGElement, width: number, height: number, around: Around): Picture {
  const { title, below = [] } = around;
  const letters = (size: number) => Math.max(20, Math.floor(width / (size * LETTER)));
  const above = title === undefined ? [] : linesOf([title], letters(TITLE.size));
  const under = linesOf(below, letters(SMALL.size));
  const top = MARGIN + above.length * TITLE.line;
  const whole = {
    width: width + 2 * MARGIN,
    height: top + height + under.length * SMALL.line + MARGIN,
  };
  const svg = element('svg', whole) as SVGSVGElement;
  svg.setAttribute('viewBox', `0 0 ${whole.width} ${whole.height}`);
  const look = getComputedStyle(document.body);
  svg.append(element('rect', { ...whole, fill: look.backgroundColor }));
  copy.setAttribute('x', String(MARGIN));
  copy.setAttribute('y', String(top));
  const write = (text: string, y: number, size: number, weight: number) => {
    const line = element('text', {
      ...{ x: MARGIN, y, fill: look.color },
      ...{ 'font-family': look.fontFamily, 'font-size': size, 'font-weight': weight },
    });
    line.textContent = text;
    svg.append(line);
  };
  above.forEach((text, at) => write(text, MARGIN + TITLE.size + at * TITLE.line, TITLE.size, 600));
  svg.append(copy);
  const base = top + height + SMALL.size;
  under.forEach((text, at) => write(text, base + at * SMALL.line, SMALL.size, 400));
  return { svg, ...whole };
}

function element(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
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
