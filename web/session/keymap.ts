/**
 * Every key of the app, once: the handlers and the `?` overlay both read this table. Keys are
 * named as in KeyboardEvent.key, with `Shift+` before where the key itself does not say it.
 * Keys that a focused control needs for itself are left to it.
 */
import type { StepKind } from '../core/run.ts';
import type { Commands } from './commands.ts';

export type KeyGroup = 'Play' | 'Step' | 'Time line' | 'Look' | 'Page';

export interface Binding {
  readonly keys: readonly string[];
  readonly description: string;
  readonly group: KeyGroup;
  readonly action: (commands: Commands) => void;
}

const step =
  (kind: StepKind, isForward: boolean) =>
  (commands: Commands): void =>
    commands.step(kind, isForward);

export const KEYMAP: readonly Binding[] = [
  { keys: [' ', 'k'], description: 'Play or pause', group: 'Play', action: (to) => to.toggle() },
  {
    keys: ['Shift+ ', 'j'],
    description: 'Play backwards',
    group: 'Play',
    action: (to) => to.playBack(),
  },
  { keys: ['+', '='], description: 'Faster', group: 'Play', action: (to) => to.faster() },
  { keys: ['-'], description: 'Slower', group: 'Play', action: (to) => to.slower() },
  {
    keys: ['p'],
    description: 'True time, or the same film for each event',
    group: 'Play',
    action: (to) => to.togglePacing(),
  },
  {
    keys: ['l'],
    description: 'Loop the marked range, or what the time line shows',
    group: 'Play',
    action: (to) => to.toggleLoop(),
  },
  {
    keys: ['ArrowRight'],
    description: 'Next hop of the selected packet, or of any',
    group: 'Step',
    action: step('hop', true),
  },
  { keys: ['ArrowLeft'], description: 'Previous hop', group: 'Step', action: step('hop', false) },
  {
    keys: ['Shift+ArrowRight', 'PageDown'],
    description: 'Next packet',
    group: 'Step',
    action: step('packet', true),
  },
  {
    keys: ['Shift+ArrowLeft', 'PageUp'],
    description: 'Previous packet',
    group: 'Step',
    action: step('packet', false),
  },
  { keys: ['.'], description: 'Next event', group: 'Step', action: step('event', true) },
  { keys: [','], description: 'Previous event', group: 'Step', action: step('event', false) },
  { keys: ['x'], description: 'Next drop', group: 'Step', action: step('drop', true) },
  { keys: ['Shift+X'], description: 'Previous drop', group: 'Step', action: step('drop', false) },
  { keys: ['Home'], description: 'Start of the run', group: 'Step', action: (to) => to.toStart() },
  { keys: ['End'], description: 'End of the run', group: 'Step', action: (to) => to.toEnd() },
  { keys: ['w'], description: 'Zoom in', group: 'Time line', action: (to) => to.zoom(1.5) },
  { keys: ['s'], description: 'Zoom out', group: 'Time line', action: (to) => to.zoom(1 / 1.5) },
  { keys: ['a'], description: 'Earlier', group: 'Time line', action: (to) => to.pan(-0.2) },
  { keys: ['d'], description: 'Later', group: 'Time line', action: (to) => to.pan(0.2) },
  { keys: ['0'], description: 'The whole run', group: 'Time line', action: (to) => to.zoomOut() },
  {
    keys: ['['],
    description: 'The range begins at the playhead',
    group: 'Time line',
    action: (to) => to.rangeFromHere(),
  },
  {
    keys: [']'],
    description: 'The range ends at the playhead',
    group: 'Time line',
    action: (to) => to.rangeToHere(),
  },
  {
    keys: ['r'],
    description: 'The range across the whole time line',
    group: 'Time line',
    action: (to) => to.zoomToRange(),
  },
  {
    keys: ['f'],
    description: 'Follow the selected packet, or let it go',
    group: 'Look',
    action: (to) => to.toggleFollow(),
  },
  {
    keys: ['Escape'],
    description: 'Let go: the packet, then the range',
    group: 'Look',
    action: (to) => to.letGo(),
  },
  {
    keys: ['v'],
    description: 'The next view of the moment: queues, caches, scheduler, locks',
    group: 'Look',
    action: (to) => to.turnStageView(1),
  },
  {
    keys: ['Shift+V'],
    description: 'The view before',
    group: 'Look',
    action: (to) => to.turnStageView(-1),
  },
  {
    keys: ['z'],
    description: 'The stage alone, or all of the screen',
    group: 'Look',
    action: (to) => to.toggleStageAlone(),
  },
  {
    keys: ['e'],
    description: 'All lanes of the time line, or one slim lane a CPU',
    group: 'Time line',
    action: (to) => to.toggleTimeline(),
  },
  {
    keys: ['h'],
    description: 'For the hall: larger and stronger',
    group: 'Look',
    action: (to) => to.toggleHall(),
  },
  { keys: ['>'], description: 'Larger text', group: 'Look', action: (to) => to.resizeText(1) },
  { keys: ['<'], description: 'Smaller text', group: 'Look', action: (to) => to.resizeText(-1) },
  { keys: ['g'], description: 'Import ledger', group: 'Look', action: (to) => to.toggleLedger() },
  { keys: ['t'], description: 'Traces', group: 'Page', action: (to) => to.togglePlace() },
  {
    keys: ['b'],
    description: 'Lab, with the scenario of a simulation',
    group: 'Page',
    action: (to) => to.toLab(),
  },
  {
    keys: ['Enter'],
    description: 'Run the scenario in the Lab',
    group: 'Page',
    action: (to) => to.runScenario(),
  },
  {
    keys: ['c'],
    description: 'Copy a link to this view',
    group: 'Page',
    action: (to) => to.share(),
  },
  {
    keys: ['m'],
    description: 'Light, dark or as the system',
    group: 'Page',
    action: (to) => to.nextTheme(),
  },
  { keys: ['?'], description: 'These keys', group: 'Page', action: (to) => to.toggleHelp() },
];

/** Of a KeyboardEvent, what is needed to know the key. */
export interface Press {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** What a key does; nothing where it means nothing here. Combinations with Ctrl are the browser's. */
export function bindingFor(press: Press): Binding | undefined {
  if (press.ctrlKey || press.metaKey || press.altKey) return undefined;
  const name = nameOf(press);
  return KEYMAP.find(({ keys }) => keys.includes(name));
}

/** Shift is part of the name for letters and for keys that print nothing; `?` and `+` already show it. */
function nameOf({ key, shiftKey }: Press): string {
  const isPrintedSign = key.length === 1 && key !== ' ' && key.toLowerCase() === key.toUpperCase();
  if (!shiftKey || isPrintedSign) return key.length === 1 ? key.toLowerCase() : key;
  return `Shift+${key.length === 1 ? key.toUpperCase() : key}`;
}

/** A single character can be typed by accident or by voice: such keys can be switched off. */
export function isCharacter({ key }: Press): boolean {
  return key.length === 1 && key !== ' ';
}

const SIGNS: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowRight: '→',
  ArrowLeft: '←',
  Escape: 'Esc',
  PageDown: 'Page Down',
  PageUp: 'Page Up',
};

/** The parts of a key as printed on a keyboard: `Shift+ArrowRight` is `⇧ Shift`, `→`. */
export function partsOf(key: string): readonly string[] {
  const isShifted = key.startsWith('Shift+');
  const bare = isShifted ? key.slice('Shift+'.length) : key;
  const sign = SIGNS[bare] ?? (bare.length === 1 ? bare.toUpperCase() : bare);
  return isShifted ? ['⇧', sign] : [sign];
}
