/**
 * Whether the control that has the focus needs a key for itself, so that the app's own meaning
 * of the key must wait: text goes into fields, Space presses buttons, arrows move sliders.
 */
const FIELDS =
  'dialog, textarea, select, [contenteditable], input:not([type=range], [type=radio], [type=checkbox], [type=file])';
const PRESSABLE = 'button, a, summary, input, [role=tab], [role=button]';
/** Also for whatever scrolls or moves by arrows: it carries `data-own-arrows`. */
const ARROWED = 'input[type=range], input[type=radio], [role=tab], [data-own-arrows]';
const MOVES = /^(?:Arrow|Page|Home$|End$)/;

export function needsKey(
  target: EventTarget | null,
  { key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>,
): boolean {
  if (!(target instanceof Element)) return false;
  // What is held with Control types nothing; within a dialog the rest of the page waits all the same.
  if ((ctrlKey || metaKey) && key !== 'v') return target.closest('dialog') !== null;
  if (target.closest(FIELDS) !== null) return true;
  if ((key === ' ' || key === 'Enter') && target.closest(PRESSABLE) !== null) return true;
  return MOVES.test(key) && target.closest(ARROWED) !== null;
}
