/**
 * Published numbers and the studies' experiments, a part of the build of its own: fetched when the scoreboard is first
 * asked for.
 */
import type { DataFiles } from './model.ts';
import { belowData } from './below-data.ts';

export const files: DataFiles = belowData(
  import.meta.glob<string>('../../wasm-core/data/papers/*.json', {
    eager: true,
    query: '?raw',
    import: 'default',
  }),
);
