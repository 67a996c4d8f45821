/** What `vite.config.ts` takes from `pictures.mjs`. */
import type { Plugin } from 'vite';

/** The plugin that makes `virtual:pictures`. */
export function pictures(): Plugin;
