/** What `vite.config.ts` takes from `words.mjs`. */
import type { Plugin } from 'vite';

/** The plugin that keeps `web/words/generated/` as new as the messages. */
export function words(): Plugin;
