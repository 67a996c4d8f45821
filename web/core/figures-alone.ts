/**
 * A scenario that is run for its figures alone. Between two stretches of it what the page says is heard, and
 * where it takes long, what has come so far is told once.
 */
import type { Figures, SoFar } from './figures.ts';
import { Simulator } from './generated/ringside.js';
import { TROUBLES } from './trouble.ts';

/** How long it does not listen, in steps: about a hundredth of a second. */
const STEPS_AT_ONCE = 25_000;
/** Several are tried out at every change, side by side: each may take some 300 MB. */
const MOST_TRIED = 2_000_000;
/** After so long, in ms, it is told what has come so far ... */
const SO_FAR_AFTER = 80;
/** ... if the whole is not there within this time, with its figures, which take as long as the run again. */
const SOON = 300;

/** Nothing where it is not wanted any more before it has ended. */
export async function figuresAlone(
  scenario: string,
  machines: readonly string[],
  isWanted: () => boolean,
  onSoFar: ((soFar: SoFar) => void) | undefined,
): Promise<Figures | undefined> {
  const startedAt = performance.now();
  const simulator = new Simulator(scenario, true, [...machines]);
  let tell = onSoFar;
  while (!simulator.advance(STEPS_AT_ONCE)) {
    if (simulator.events() > MOST_TRIED) throw new Error(TROUBLES.long);
    const taken = performance.now() - startedAt;
    if (tell && taken > SO_FAR_AFTER) {
      const [simulated, duration] = [simulator.simulated_ns(), simulator.duration_ns()];
      if (2 * taken * (duration / simulated) > SOON)
        tell({ figures: simulator.figures_so_far() as Figures, simulated, duration });
      tell = undefined;
    }
    await breath();
    if (!isWanted()) {
      simulator.free();
      return undefined;
    }
  }
  return simulator.figures() as Figures;
}

/** Lets what was sent meanwhile be heard. A timer does so, too, but not before 4 ms have passed. */
function breath(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
