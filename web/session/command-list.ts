/**
 * Every command of the app, once: the keys, the `?` page, the palette and the buttons all take it
 * from here.
 */
import type { Command } from './command.ts';
import { BESIDE_COMMANDS } from './commands-beside.ts';
import { FINDING_COMMANDS } from './commands-findings.ts';
import { LOOK_COMMANDS } from './commands-look.ts';
import { PAGE_COMMANDS } from './commands-page.ts';
import { PLAY_COMMANDS } from './commands-play.ts';

const LIST = [
  ...PLAY_COMMANDS,
  ...FINDING_COMMANDS,
  ...LOOK_COMMANDS,
  ...BESIDE_COMMANDS,
  ...PAGE_COMMANDS,
] as const;

export type CommandId = (typeof LIST)[number]['id'];

/** In the order in which the `?` page and the palette show them. */
export const COMMANDS: readonly (Command & { readonly id: CommandId })[] = LIST;
