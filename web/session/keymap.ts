/**
 * Maps keys to commands, and names keys. Keys are named as in KeyboardEvent.key, with `Shift+` before it
 * where the key itself does not imply it, and `Ctrl+` for Control or Command. Keys that a focused control
 * needs are left to it.
 */
import { COMMANDS, type CommandId } from './command-list.ts';

/** The fields of a KeyboardEvent that identify the key. */
export interface Press {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

type Listed = (typeof COMMANDS)[number];

/**
 * The command of a key; `undefined` if it has none here, so that the browser handles it.
 *
 * @param applies whether a command that takes a key from another one applies now
 */
export function commandFor(
  press: Press,
  applies: (command: Listed) => boolean = () => false,
): Listed | undefined {
  const isTyped = isTypedWithAlt(press);
  if (press.altKey && !isTyped) return undefined;
  const isHeld = !isTyped && (press.ctrlKey || press.metaKey);
  const name = isHeld ? `Ctrl+${nameOf(press)}` : nameOf(press);
  const all = COMMANDS.filter(({ keys }) => keys.includes(name));
  const taking = all.find((one) => one.takesKeys === true && applies(one));
  return taking ?? all.find(({ takesKeys }) => takesKeys !== true);
}

/**
 * Whether a sign is typed with the key that some keyboards need for it: AltGr, which Windows reports as Ctrl with Alt,
 * or Option, which is Alt: `[` of a German one. Letters and digits with Alt are the browser's.
 */
function isTypedWithAlt({ key, altKey }: Press): boolean {
  return altKey && key.length === 1 && /[^\p{L}\p{N}\s]/u.test(key);
}

/** Shift is part of the name for letters and for non-printing keys; `?` and `+` already imply it. */
function nameOf({ key, shiftKey }: Press): string {
  const isPrintedSign = key.length === 1 && key !== ' ' && key.toLowerCase() === key.toUpperCase();
  if (!shiftKey || isPrintedSign) return key.length === 1 ? key.toLowerCase() : key;
  return `Shift+${key.length === 1 ? key.toUpperCase() : key}`;
}

/** Whether a key is a single character, which may be typed by accident or by voice input and can be disabled. */
export function isCharacter(press: Press): boolean {
  const { key, ctrlKey, metaKey } = press;
  if (isTypedWithAlt(press)) return true;
  return key.length === 1 && key !== ' ' && !ctrlKey && !metaKey;
}

const SIGNS: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowRight: '→',
  ArrowLeft: '←',
  Escape: 'Esc',
  PageDown: 'Page Down',
  PageUp: 'Page Up',
};

/** The parts of a key as printed on a keyboard: `Shift+ArrowRight` is `⇧`, `→`. */
export function partsOf(key: string): readonly string[] {
  if (key.startsWith('Ctrl+')) return ['Ctrl', ...partsOf(key.slice('Ctrl+'.length))];
  const isShifted = key.startsWith('Shift+');
  const bare = isShifted ? key.slice('Shift+'.length) : key;
  const sign = SIGNS[bare] ?? (bare.length === 1 ? bare.toUpperCase() : bare);
  return isShifted ? ['⇧', sign] : [sign];
}

/** The first key of a command as printed, to be shown beside its button. */
export function hintOf(id: CommandId): string {
  const [key = ''] = COMMANDS.find((one) => one.id === id)?.keys ?? [];
  return partsOf(key).join(' ');
}
