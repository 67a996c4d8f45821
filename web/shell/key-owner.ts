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

export function needsKey(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest(FIELDS) !== null) return true;
  if ((key === ' ' || key === 'Enter') && target.closest(PRESSABLE) !== null) return true;
  return MOVES.test(key) && target.closest(ARROWED) !== null;
}
