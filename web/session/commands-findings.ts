/**
 * The commands of the run's findings: the next and the previous one, and each of the first nine by number.
 */
import { m } from '../words/generated/messages.js';
import { effect } from './command-words.ts';
import { onStage, type Command } from './command.ts';

/** The finding with this number, from 1. */
const numbered = <const Digit extends string>(number: Digit) =>
  ({
    id: `finding.${number}`,
    keys: [number],
    group: 'step',
    title: () => m.command_finding_number({ number }),
    when: onStage,
    does: effect((to) => to.showFinding(Number(number) - 1)),
  }) as const satisfies Command;

export const FINDING_COMMANDS = [
  {
    id: 'finding.next',
    keys: ['n'],
    group: 'step',
    title: m.command_finding_next,
    when: onStage,
    does: effect((to) => to.turnFinding(1)),
  },
  {
    id: 'finding.previous',
    keys: ['Shift+N'],
    group: 'step',
    title: m.command_finding_previous,
    when: onStage,
    does: effect((to) => to.turnFinding(-1)),
  },
  numbered('1'),
  numbered('2'),
  numbered('3'),
  numbered('4'),
  numbered('5'),
  numbered('6'),
  numbered('7'),
  numbered('8'),
  numbered('9'),
] as const satisfies readonly Command[];
