/**
 * Whether GRO does anything in a run. A kernel calls `napi_gro_receive` for each frame, also where the
 * device has GRO switched off (net/core/dev.c: netif_elide_gro, v6.1), so that packets pass its place
 * either way.
 */
import type { Opened } from '../core/core.ts';
import { once } from './once.ts';

/** `idle` if no packet of the run goes on inside another one, for whatever reason. */
export type Gro = 'off' | 'idle' | 'merges';

export const groOf = once((run: Opened): Gro => {
  if (isSwitchedOff(run)) return 'off';
  return run.journeys.merged === 0 ? 'idle' : 'merges';
});

/** A simulation has its scenario with it; no event of a recording tells of the device's features. */
function isSwitchedOff({ origin, metadata }: Opened): boolean {
  if (origin !== 'simulated') return false;
  const scenario = metadata.find(([key]) => key === 'scenario')?.[1] ?? '{}';
  return settingsIn(scenario)['gro'] === false;
}

/** A file may call itself a simulation and have anything for a scenario. */
function settingsIn(scenario: string): Readonly<Record<string, unknown>> {
  try {
    const { settings } = (JSON.parse(scenario) ?? {}) as { readonly settings?: unknown };
    return typeof settings === 'object' && settings !== null ? { ...settings } : {};
  } catch {
    return {};
  }
}
