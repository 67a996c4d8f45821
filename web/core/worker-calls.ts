/**
 * What the page and a worker say to each other: the core's interface, less what only the page
 * can do (ending a worker), the questions about a run, and the version. One worker holds at most
 * one run.
 */
import type { Core, Opened, Outcome } from './core.ts';
import type { Figures, SoFar } from './figures.ts';
import type { RunQuestions } from './run.ts';

type Common = Pick<
  Core,
  | 'glossary'
  | 'catalogue'
  | 'published'
  | 'reproduce'
  | 'survey'
  | 'compare'
  | 'abreast'
  | 'curve'
  | 'publishedBeside'
>;

export interface WorkerCalls extends Common, RunQuestions {
  /** The version of the core, as in its manifest. */
  version(): Promise<string>;
  open(
    inputs: Parameters<Core['open']>[0],
    onProgress: Parameters<Core['open']>[1],
    excerpt?: Parameters<Core['open']>[2],
  ): Promise<Outcome<Opened>>;
  simulate(
    scenario: string,
    onProgress: Parameters<Core['simulate']>[1],
    machines?: readonly string[],
  ): Promise<Outcome<Opened>>;
  /** Runs a scenario for its figures, until `halt` is called. */
  tryOut(
    scenario: string,
    machines?: readonly string[],
    onSoFar?: (soFar: SoFar) => void,
  ): Promise<Outcome<Figures>>;
  /** Ends the `tryOut` that is under way; it answers with `cancelled`. */
  halt(): Promise<void>;
}
