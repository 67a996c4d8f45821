/** The stored settings, a port on the dispatcher: whatever of them was changed is kept in the browser. */
import { keepChoices } from './choices.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { Settings } from './settings.svelte.ts';

export function keepSettings(dispatcher: Dispatcher, settings: Settings): () => void {
  let { choices } = settings;
  return dispatcher.watch(() => {
    if (settings.choices === choices) return;
    ({ choices } = settings);
    keepChoices(choices);
  });
}
