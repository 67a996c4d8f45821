/** Files of the viewer's own that may not fit into memory, and the parts of them that could be opened. */
import type { Core, Input, Survey } from '../core/core.ts';

export interface TooLarge {
  readonly inputs: readonly Input[];
  readonly title: string;
  readonly survey: Survey;
  /** Available memory in bytes. */
  readonly room: number;
}

/** What the inputs would need; `undefined` if that cannot be determined: opening them then reports why. */
export async function surveyed(
  core: Pick<Core, 'survey' | 'room'>,
  inputs: readonly Input[],
  title: string,
  signal: AbortSignal,
): Promise<TooLarge | undefined> {
  const outcome = await core.survey(inputs, signal);
  const { room } = core;
  return outcome.kind === 'ok' ? { inputs, title, survey: outcome.value, room } : undefined;
}
