/**
 * Fetches the model in a worker: the simulator's wasm module and its data files. It is itself fetched when the
 * worker is first asked to simulate.
 */
import init from './generated/simulator.js';
import wasmUrl from './generated/simulator_bg.wasm?url';
import { Model } from './model.ts';

export async function openModel(): Promise<Model> {
  const [{ files }] = await Promise.all([
    import('./model-data.ts'),
    init({ module_or_path: wasmUrl }),
  ]);
  return new Model(files, async () => (await import('./paper-data.ts')).files);
}
