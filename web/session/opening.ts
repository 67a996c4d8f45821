/** What is told of a run that is being opened, that could not be opened, or that was lost. */
import type { Progress } from '../core/core.ts';
import type { SimulationProgress } from '../core/simulation.ts';
import type { Trouble } from '../core/trouble.ts';

/** The run that is being opened; without progress until the first bytes were read or the first events simulated. */
export type Opening =
  | {
      readonly kind: 'import';
      readonly name: string;
      readonly progress: Progress | undefined;
      /** Estimated memory in bytes, if it may be large. */
      readonly memory?: number | undefined;
    }
  | {
      readonly kind: 'simulation';
      readonly name: string;
      readonly progress: SimulationProgress | undefined;
    };

/** A failed attempt to open a run, for the page to show; the previous run remains. */
export interface Failure extends Trouble {
  readonly kind: Opening['kind'];
  readonly name: string;
}

/** The run on the stage lost its worker; it can be opened again from its source. */
export interface Crash {
  readonly name: string;
  readonly message: string;
}
