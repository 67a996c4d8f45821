/**
 * The commands of the page as a whole: its places, links, undo, the palette and the keys.
 */
import { m } from '../words/generated/messages.js';
import { effect } from './command-words.ts';
import type { Command } from './command.ts';

export const PAGE_COMMANDS = [
  {
    id: 'page.traces',
    keys: ['t'],
    group: 'page',
    title: m.command_page_traces,
    when: (_, { run }) => run !== undefined,
    does: effect((to) => to.togglePlace()),
  },
  {
    id: 'page.lab',
    keys: ['Shift+L'],
    group: 'page',
    title: m.command_page_lab,
    does: effect((to) => to.toLab()),
  },
  {
    id: 'lab.run',
    keys: ['Enter'],
    group: 'page',
    title: m.command_lab_run,
    when: ({ place }) => place === 'lab',
    does: effect((to) => to.runScenario()),
  },
  {
    id: 'page.share',
    keys: ['c'],
    group: 'page',
    title: m.command_page_share,
    does: effect((to) => to.share()),
  },
  {
    id: 'look.theme',
    keys: ['m'],
    group: 'page',
    title: m.command_look_theme,
    does: effect((to) => to.nextTheme()),
  },
  {
    id: 'page.undo',
    keys: ['u'],
    group: 'page',
    title: m.command_page_undo,
    does: effect((to) => to.undo()),
  },
  {
    id: 'page.redo',
    keys: ['Shift+U'],
    group: 'page',
    title: m.command_page_redo,
    does: effect((to) => to.redo()),
  },
  {
    id: 'page.keys',
    keys: ['?'],
    group: 'page',
    title: m.command_page_keys,
    does: effect((to) => to.toggleHelp()),
  },
] as const satisfies readonly Command[];
