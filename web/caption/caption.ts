/**
 * Captions as text: what a beat says at a level, and a range of film as WebVTT. Which beat is on
 * screen is a function of the film: while it runs the weightiest of late, else the last one.
 */
import type { Beats, Said } from '../core/told.ts';
import type { Saying } from '../core/saying.ts';
import { beatAt } from '../session/told.ts';
import type { Level } from './level.svelte.ts';

/** Two lines to read, the second perhaps empty. */
export interface Lines {
  readonly what: string;
  readonly why: string;
  readonly isInferred: boolean;
}

/** The beat whose caption stands at a second of film; nothing before the first. */
export function captionAt(beats: Beats, film: number, isRunning: boolean): number | undefined {
  const beat = beatAt(beats, film);
  return beat === undefined || !isRunning ? beat : beats.caption[beat];
}

/** At the kernel's level the function comes first and the plain sentence explains it. */
export function linesOf(said: Said, level: Level, say: (saying: Saying) => string): Lines {
  const why = level === 'kernel' ? said.plain : level === 'plain' ? said.why : undefined;
  return {
    what: say(said[level]),
    why: why === undefined ? '' : say(why),
    isInferred: said[level].isInferred || why?.isInferred === true,
  };
}

/** A caption with the seconds of film for which it stands. */
export interface Cue {
  readonly from: number;
  readonly to: number;
  readonly lines: Lines;
}

/** Cues as a WebVTT file (https://www.w3.org/TR/webvtt1/) that begins with the film. */
export function webVtt(cues: readonly Cue[], begins: number): string {
  const blocks = cues.map(({ from, to, lines }) => {
    const text = [lines.what, lines.why].filter((line) => line !== '').map(escaped);
    return `${clock(from - begins)} --> ${clock(to - begins)}\n${text.join('\n')}\n`;
  });
  return ['WEBVTT\n', ...blocks].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function clock(seconds: number): string {
  const millis = Math.max(0, Math.round(seconds * 1000));
  const part = (value: number, digits: number) => String(Math.floor(value)).padStart(digits, '0');
  const [hours, minutes] = [millis / 3_600_000, (millis / 60_000) % 60];
  return `${part(hours, 2)}:${part(minutes, 2)}:${part((millis / 1000) % 60, 2)}.${part(millis % 1000, 3)}`;
}
