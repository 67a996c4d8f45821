/**
 * Captions as WebVTT (https://www.w3.org/TR/webvtt1/), to lie beside a film of the page: one cue for each
 * caption while it is on screen. Cues never overlap, and nothing of a text is taken for markup.
 */
import type { Captions } from '../core/told.ts';

export interface Cue {
  /** Seconds of film. */
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** A whole file. Cues that end where they begin, to the millisecond, are left out. */
export function vttOf(title: string, cues: readonly Cue[]): string {
  const blocks = cues.flatMap(({ from, to, lines }) => {
    const text = lines.map(textOf).filter((line) => line !== '');
    const [begins, ends] = [millis(from), millis(to)];
    if (begins >= ends || text.length === 0) return [];
    return [`${timestamp(begins)} --> ${timestamp(ends)}\n${text.join('\n')}`];
  });
  return [`WEBVTT ${textOf(title)}`.trimEnd(), ...blocks].join('\n\n') + '\n';
}

/** When each caption is on screen while film runs: from where it comes until another one does. */
export function shownCaptions(
  { film, beat }: Captions,
  end: number,
): readonly { readonly beat: number; readonly from: number; readonly to: number }[] {
  return Array.from(beat, (one, at) => ({
    beat: one,
    from: film[at] ?? end,
    to: film[at + 1] ?? end,
  }));
}

/** One line of cue text (§4.2.2): no markup, no line of its own, no arrow. */
function textOf(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\0', ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

function millis(seconds: number): number {
  return Math.round(seconds * 1000);
}

/** `hh:mm:ss.mmm`; more than 99 hours have more digits. */
function timestamp(millis: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const seconds = Math.floor(millis / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = String(millis % 1000).padStart(3, '0');
  return `${two(hours)}:${two(minutes)}:${two(seconds % 60)}.${rest}`;
}
