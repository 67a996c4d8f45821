/** Names data files as the simulator's module does: by their paths below `wasm-core/data/`. */
import type { DataFiles } from './model.ts';

const FOLDER = 'wasm-core/data/';

/** Files by any paths that lead into that folder. */
export function belowData(files: DataFiles): DataFiles {
  const name = (path: string) => path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [name(path), text]));
}
