/**
 * The simulator's data files, a part of the build of its own: machines, kernels, instrumentation, workloads,
 * scenarios. Fetched with
 * the simulator, never for a recording.
 */
import type { DataFiles } from './model.ts';
import { belowData } from './below-data.ts';

export const files: DataFiles = belowData(
  import.meta.glob<string>(
    '../../wasm-core/data/{machines,kernels,instrumentation,workloads,scenarios}/*.json',
    {
      eager: true,
      query: '?raw',
      import: 'default',
    },
  ),
);
