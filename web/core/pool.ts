/**
 * Workers for scenarios of which only the figures are wanted: as many at once as the machine has
 * CPUs, each kept for the next one, first come first served. Knows of lines, not of workers.
 */
import { proxy } from 'comlink';
import type { Core, Outcome } from './core.ts';
import type { Figures } from './figures.ts';
import type { Line } from './line.ts';
import { failed } from './trouble.ts';

interface Waiting {
  readonly start: (line: Line) => void;
}

export function openPool(takeLine: () => Line, cores: number): Pick<Core, 'tryOut'> {
  const idle: Line[] = [];
  let busy = 0;
  let waiting: readonly Waiting[] = [];

  function next(): void {
    const [first, ...others] = waiting;
    if (first === undefined || busy >= Math.max(1, cores)) return;
    waiting = others;
    busy += 1;
    const kept = idle.pop();
    first.start(kept === undefined || kept.isGone ? takeLine() : kept);
  }

  function leave(line: Line): void {
    busy -= 1;
    if (!line.isGone) idle.push(line);
    next();
  }

  return {
    tryOut: (scenario, signal, machines, onSoFar) =>
      new Promise<Outcome<Figures>>((resolve) => {
        if (signal.aborted) {
          resolve({ kind: 'cancelled' });
          return;
        }
        const one: Waiting = {
          start(line) {
            signal.removeEventListener('abort', forget);
            const halt = () => void line.ask((calls) => calls.halt()).catch(() => undefined);
            signal.addEventListener('abort', halt);
            void line
              .ask((calls) => calls.tryOut(scenario, machines, onSoFar && proxy(onSoFar)))
              .catch((error: unknown): Outcome<Figures> => failed(error))
              .then((outcome) => {
                signal.removeEventListener('abort', halt);
                leave(line);
                resolve(signal.aborted ? { kind: 'cancelled' } : outcome);
              });
          },
        };
        const forget = () => {
          waiting = waiting.filter((other) => other !== one);
          resolve({ kind: 'cancelled' });
        };
        signal.addEventListener('abort', forget, { once: true });
        waiting = [...waiting, one];
        next();
      }),
  };
}
