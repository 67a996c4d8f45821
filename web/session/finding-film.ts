/** How the stage comes to a finding: its packet, its view and its moment, and told film about it. */
import type { Finding } from '../core/findings.ts';
import type { Ringside } from './context.ts';

/** Told film stands this many seconds before a finding. */
const SECONDS_BEFORE = 1;

/**
 * Shows the moment of a finding in the view that shows it best, and follows its packet; told film becomes that of the
 * packet, and stands shortly before. False where it did not come to that: film has another pacing, another run has been
 * opened, another finding was chosen or the playhead moved elsewhere meanwhile.
 */
export async function standBefore(found: Finding, ringside: Ringside): Promise<boolean> {
  const { findings, playhead, selection, session, view } = ringside;
  const { handle } = session;
  if (found.packet === undefined) selection.select(undefined);
  else selection.followPacket(found.packet);
  view.showStageView(found.view);
  playhead.pause();
  playhead.seek(found.moment);
  const { time } = playhead;
  if (playhead.pacing !== 'told') return false;
  await playhead.tellOf(found.packet);
  if (session.handle !== handle || findings.all[findings.chosen ?? -1] !== found) return false;
  if (playhead.time !== time) return false;
  playhead.seekFilm(playhead.film - SECONDS_BEFORE);
  return true;
}
