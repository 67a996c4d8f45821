/**
 * From what a viewer drops, picks or pastes to inputs for the core. Looks at nothing inside:
 * what a file is, the core tells by its content.
 */
import type { Input } from '../core/core.ts';
import { harmless } from '../session/harmless.ts';
import type { Source } from '../session/session.svelte.ts';

export interface OwnFiles {
  readonly inputs: readonly Input[];
  readonly source: Source;
}

/** Takes text that was pasted: a link to Ringside is followed, all else is opened. */
export function takeText(text: string, open: (own: OwnFiles) => void): void {
  const link = linkIn(text);
  const own = fromText(text);
  if (link !== undefined) location.hash = link;
  else if (own !== undefined) open(own);
}

/** Files that belong together: a trace, and a capture of the link beside it. */
export function fromFiles(files: Iterable<File>): OwnFiles | undefined {
  const inputs = [...files].map((file): Input => ({ name: file.name, data: file }));
  if (inputs.length === 0) return undefined;
  return {
    inputs,
    source: { kind: 'own', title: inputs.map(({ name }) => harmless(name)).join(' + ') },
  };
}

/** The fragment of a link to Ringside, where the text is one: it is followed here, whatever place it names. */
export function linkIn(text: string): string | undefined {
  return /^[^\s#]*(#v=\d+&\S*)$/.exec(text.trim())?.[1];
}

export function fromText(text: string): OwnFiles | undefined {
  if (text.trim() === '') return undefined;
  const title = 'pasted text';
  return {
    inputs: [{ name: title, data: new Blob([text], { type: 'text/plain' }) }],
    source: { kind: 'own', title },
  };
}
