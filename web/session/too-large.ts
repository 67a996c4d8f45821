/** Files of the viewer's own that may not fit into memory, and what could be opened of them. */
import type { Core, Input, Survey } from '../core/core.ts';

export interface TooLarge {
  readonly inputs: readonly Input[];
  readonly title: string;
  readonly survey: Survey;
  /** Bytes of memory that there are. */
  readonly room: number;
}

/** What inputs would come to; nothing where that cannot be told, as opening them says why. */
export async function surveyed(
  core: Pick<Core, 'survey' | 'room'>,
  inputs: readonly Input[],
  title: string,
): Promise<TooLarge | undefined> {
  const outcome = await core.survey(inputs);
  const { room } = core;
  return outcome.kind === 'ok' ? { inputs, title, survey: outcome.value, room } : undefined;
}
