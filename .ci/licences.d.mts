/** What `vite.config.ts` takes from `licences.mjs`. */
import type { Plugin } from 'vite';

/** Where vite writes the licences of the bundled packages, from the built page's folder. */
export const PAGE_LICENCES: string;

/** The plugin that writes the licences of the core's crates. */
export function licences(): Plugin;
