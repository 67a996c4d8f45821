/**
 * The commands of the page as a whole: its places, links, undo, the palette and the keys.
 */
import { m } from '../words/generated/messages.js';
import { effect } from './command-words.ts';
import { onStage, type Command } from './command.ts';

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
    id: 'page.lessons',
    keys: [],
    group: 'page',
    title: m.command_page_lessons,
    does: effect((to) => to.goTo('lessons')),
  },
  {
    id: 'page.papers',
    keys: [],
    group: 'page',
    title: m.command_page_papers,
    does: effect((to) => to.goTo('papers')),
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
    id: 'page.search',
    keys: ['/', 'Ctrl+f'],
    group: 'page',
    title: m.command_page_search,
    when: onStage,
    does: effect((to) => to.askSearch()),
  },
  {
    id: 'page.note',
    keys: ['i'],
    group: 'page',
    title: m.command_page_note,
    when: onStage,
    does: effect((to) => to.askNote()),
  },
  {
    id: 'page.share',
    keys: ['c'],
    group: 'page',
    title: m.command_page_share,
    does: effect((to) => to.share()),
  },
  {
    id: 'window.open',
    keys: ['Shift+W'],
    group: 'page',
    title: m.command_window_open,
    when: onStage,
    does: effect((to) => to.openWindow()),
  },
  {
    id: 'window.leave',
    keys: [],
    group: 'page',
    title: m.command_window_leave,
    does: effect((to) => to.leaveWindows()),
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
    id: 'page.palette',
    keys: ['Ctrl+k'],
    group: 'page',
    title: m.command_page_palette,
    does: effect((to) => to.toggleDialog('palette')),
  },
  {
    id: 'page.settings',
    keys: ['Shift+S'],
    group: 'page',
    title: m.settings_title,
    does: effect((to) => to.toggleDialog('settings')),
  },
  {
    id: 'page.limits',
    keys: [],
    group: 'page',
    title: m.header_limits,
    when: (view, { run }) => view.place === 'lab' || run?.origin === 'simulated',
    does: effect((to) => to.toggleDialog('limits')),
  },
  {
    id: 'page.keys',
    keys: ['?'],
    group: 'page',
    title: m.command_page_keys,
    does: effect((to) => to.toggleDialog('keys')),
  },
] as const satisfies readonly Command[];
