/**
 * A simulation that is made before it is asked for, in a worker of its own, so that there is less to wait for when it
 * is to be shown. At most one is under way or kept.
 */
import type { Outcome } from '../core/core.ts';
import type { RunHandle } from '../core/run.ts';
import type { SimulationProgress } from '../core/simulation.ts';
import { failed } from '../core/trouble.ts';

type OnProgress = (progress: SimulationProgress | undefined) => void;

/** Simulates a scenario (compact JSON); the signal ends it. */
export type Simulate = (
  scenario: string,
  onProgress: OnProgress,
  signal: AbortSignal,
) => Promise<Outcome<RunHandle>>;

interface Begun {
  readonly scenario: string;
  readonly abort: AbortController;
  readonly outcome: Promise<Outcome<RunHandle>>;
  /** Hears of progress, once there is somebody who waits. */
  onProgress: OnProgress;
}

/** What is asked of any run when it is shown is asked at once: for a long run that takes as long as making it. */
function askedFirst(made: Outcome<RunHandle>): Outcome<RunHandle> {
  if (made.kind !== 'ok') return made;
  const run = made.value;
  const [told, findings] = [run.told(undefined), run.findings()];
  // Who asks hears what is wrong; if nobody does, nothing is.
  for (const answer of [told, findings]) answer.catch(() => undefined);
  const value: RunHandle = {
    ...run,
    told: (focus) => (focus === undefined ? told : run.told(focus)),
    findings: () => findings,
  };
  return { kind: 'ok', value };
}

export class Ahead {
  readonly #simulate: Simulate;
  #begun: Begun | undefined;

  constructor(simulate: Simulate) {
    this.#simulate = simulate;
  }

  /** Begins to simulate a scenario. Another one that was begun is ended; `undefined`: none is made ahead. */
  prepare(scenario: string | undefined): void {
    const before = this.#begun;
    if (before?.scenario === scenario) return;
    before?.abort.abort();
    void before?.outcome.then((made) => made.kind === 'ok' && made.value.close());
    this.#begun = undefined;
    if (scenario === undefined) return;
    const abort = new AbortController();
    const tell: OnProgress = (progress) => begun.onProgress(progress);
    const begun: Begun = {
      ...{ scenario, abort, onProgress: () => undefined },
      outcome: this.#simulate(scenario, tell, abort.signal).then(askedFirst).catch(failed),
    };
    this.#begun = begun;
  }

  /** The run of a scenario: the one that was begun, if it could be made, or a new one. The signal ends either. */
  async run(
    scenario: string,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<Outcome<RunHandle>> {
    const begun = this.#begun;
    if (begun?.scenario === scenario) {
      this.#begun = undefined;
      begun.onProgress = onProgress;
      signal.addEventListener('abort', () => begun.abort.abort());
      const made = await begun.outcome;
      if (made.kind === 'ok') return made;
    }
    return this.#simulate(scenario, onProgress, signal);
  }
}
