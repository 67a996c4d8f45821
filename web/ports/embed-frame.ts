/**
 * Whether the page is in a frame of another page, whose frame it is, and what does not belong into one.
 */
import type { Dispatcher } from '../session/dispatcher.ts';
import { m } from '../words/generated/messages.js';

/** How the page was asked to be shown. */
export interface Frame {
  /** Without the shelf, the header and the panels. */
  readonly isEmbedded: boolean;
  /** The origin of the page that may speak. */
  readonly origin: string | undefined;
  /** What of it could not be taken as it stood. */
  readonly notices: readonly string[];
}

/** What the address says before its fragment: `?embed=https://course.example`. */
export function readFrame(search: string): Frame {
  const given = new URLSearchParams(search).get('embed');
  if (given === null) return { isEmbedded: false, origin: undefined, notices: [] };
  if (given === '') return { isEmbedded: true, origin: undefined, notices: [] };
  return /^https?:/.test(given) && URL.canParse(given) && new URL(given).origin === given
    ? { isEmbedded: true, origin: given, notices: [] }
    : { isEmbedded: true, origin: undefined, notices: [m.embed_no_origin()] };
}

/** Of the whole page, not of a frame in it: these commands lead away from the stage. */
const LEADS_AWAY =
  /^(?:page\.(?:traces|lessons|papers|lab|go|palette)|lab\b|run\b|window\.|panel\b|ledger\b)/;
/** In a frame nothing leads to where the frame has nothing to show. */
export function guardFrame(commands: Dispatcher): () => void {
  return commands.guard((id) => (LEADS_AWAY.test(id) ? m.embed_leads_away() : undefined));
}
