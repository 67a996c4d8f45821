/**
 * The commands of the second run: select it, go to where the two runs part, close it.
 */
import { m } from '../words/generated/messages.js';
import { effect } from './command-words.ts';
import { onStage, type Command } from './command.ts';

export const BESIDE_COMMANDS = [
  {
    id: 'beside.choose',
    keys: ['Shift+B'],
    group: 'page',
    title: m.command_beside_choose,
    when: onStage,
    does: effect((to) => to.toggleDialog('beside')),
  },
  {
    id: 'beside.first',
    keys: [],
    group: 'step',
    title: m.beside_first,
    when: onStage,
    does: effect((to) => to.turnParting(0)),
  },
  {
    id: 'beside.next',
    keys: ['y'],
    group: 'step',
    title: m.command_beside_next,
    when: onStage,
    does: effect((to) => to.turnParting(1)),
  },
  {
    id: 'beside.previous',
    keys: ['Shift+Y'],
    group: 'step',
    title: m.command_beside_previous,
    when: onStage,
    does: effect((to) => to.turnParting(-1)),
  },
  {
    id: 'beside.verdict',
    keys: ['q'],
    group: 'page',
    title: m.command_beside_verdict,
    when: onStage,
    does: effect((to) => to.toggleDialog('verdict')),
  },
  {
    id: 'beside.close',
    keys: [],
    group: 'page',
    title: m.command_beside_close,
    when: onStage,
    does: effect((to) => to.closeBeside()),
  },
] as const satisfies readonly Command[];
