/**
 * The recordings that come with the page, as `traces/` describes them (traces/README.md has
 * the fields). The descriptions are part of the page; the traces themselves are fetched from
 * the page's own origin, each when it is opened.
 */
import type { Input } from '../core/core.ts';
import { TROUBLES } from '../core/trouble.ts';

export interface Recording {
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly lookAt: readonly string[];
  readonly phenomena: readonly string[];
  /** Kinds of findings that what to look at comes down to, in that order. */
  readonly promises: readonly string[];
  readonly format: string;
  readonly kernel: string;
  readonly machine: string;
  readonly cpus: number;
  readonly load: string;
  readonly recorded: string;
  readonly artefacts: readonly string[];
  readonly lines: number;
  /** Frames in the capture of the link; 0 where there is none. */
  readonly wireFrames: number;
  readonly files: readonly { readonly name: string; readonly url: string }[];
  /** The link's clock minus the trace's, in nanoseconds. */
  readonly clockOffset: number | undefined;
}

/** As written in recording.json. */
interface Description {
  readonly title: string;
  readonly summary: string;
  readonly look_at: readonly string[];
  readonly format: string;
  readonly files: readonly string[];
  readonly kernel: string;
  readonly hardware: { readonly machine: string; readonly cpus: number };
  readonly load: string;
  readonly recorded: string;
  readonly clock: { readonly wire_minus_trace_s: number | null };
  readonly artefacts: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly phenomena: readonly string[];
  readonly promises: readonly string[];
}

const descriptions = import.meta.glob<Description>('../../traces/*/recording.json', {
  eager: true,
  import: 'default',
});
const urls = import.meta.glob<string>('../../traces/*/*.gz', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** The recording in that folder of `traces/`, if there is one. */
export function findRecording(slug: string): Recording | undefined {
  const folder = `../../traces/${slug}`;
  const description = descriptions[`${folder}/recording.json`];
  if (description === undefined) return undefined;
  const { look_at, hardware, clock, counts, files, ...same } = description;
  const offset = clock.wire_minus_trace_s;
  return {
    ...same,
    slug,
    lookAt: look_at,
    machine: hardware.machine,
    cpus: hardware.cpus,
    lines: counts['lines'] ?? 0,
    wireFrames: counts['wire_frames'] ?? 0,
    clockOffset: offset === null ? undefined : Math.round(offset * 1e9),
    files: files.flatMap((name) => {
      const url = urls[`${folder}/${name}`];
      return url === undefined ? [] : { name, url };
    }),
  };
}

/** Fetches the files of a recording, from where the page came from. Throws where one is missing. */
export async function fetchInputs(recording: Recording): Promise<readonly Input[]> {
  const { clockOffset } = recording;
  return Promise.all(
    recording.files.map(async ({ name, url }): Promise<Input> => {
      const response = await fetch(url).catch(() => {
        throw new Error(TROUBLES.recording);
      });
      if (!response.ok) throw new Error(`${name} could not be fetched (${response.status})`);
      const data = await response.blob();
      return clockOffset !== undefined && name.startsWith('wire.')
        ? { name, data, clockOffset }
        : { name, data };
    }),
  );
}
