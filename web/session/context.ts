/**
 * How components obtain the state: App.svelte provides one of each, and the components of the shell read
 * them here. Views (stage, time line, inspector) take props instead.
 */
import { createContext } from 'svelte';
import { BUILD_NAME } from '../core/build-name.ts';
import type { Core } from '../core/core.ts';
import { Announcer } from './announcer.svelte.ts';
import { Beside } from './beside.svelte.ts';
import { Clock } from './clock.ts';
import { Draft } from './draft.svelte.ts';
import { Experiment } from './experiment.svelte.ts';
import { Findings } from './findings.svelte.ts';
import { Forks } from './forks.svelte.ts';
import { KeptRuns } from './kept-runs.ts';
import { Playhead } from './playhead.svelte.ts';
import { Selection } from './selection.svelte.ts';
import { Session } from './session.svelte.ts';
import { Sweep } from './sweep.svelte.ts';
import { TriedOut } from './tried-out.ts';
import { Settings } from './settings.svelte.ts';
import { View } from './view.svelte.ts';

export interface Ringside {
  readonly session: Session;
  readonly playhead: Playhead;
  readonly selection: Selection;
  readonly view: View;
  readonly settings: Settings;
  /** Says what happens to screen readers. */
  readonly announcer: Announcer;
  /** Findings of the run on the stage. */
  readonly findings: Findings;
  /** The scenario in the Lab. */
  readonly draft: Draft;
  /** The Lab's repeated runs of the scenario. */
  readonly experiment: Experiment;
  /** The Lab's sweep over a setting. */
  readonly sweep: Sweep;
  /** The second run, on the clock of the run on the stage. */
  readonly beside: Beside;
  /** Both runs repeated with several seeds, if they are simulations. */
  readonly overSeeds: Experiment;
  /** Forks of the run on the stage. */
  readonly forks: Forks;
  readonly clock: Clock;
}

export const [useRingside, provideRingside] = createContext<Ringside>();

/** Creates one of each and connects them. */
export function createRingside(core: Core, settings = new Settings()): Ringside {
  const selection = new Selection();
  const playhead = new Playhead(selection);
  const view = new View();
  const session = new Session(core, playhead, selection, view);
  const clock = new Clock(session, playhead);
  const tried = new TriedOut(core, () => session.machines.texts);
  return {
    session,
    playhead,
    selection,
    view,
    settings,
    announcer: new Announcer(),
    findings: new Findings(),
    draft: new Draft(),
    experiment: new Experiment(core, tried),
    sweep: new Sweep(core, () => session.machines.texts, new KeptRuns(BUILD_NAME)),
    beside: new Beside(core, session),
    overSeeds: new Experiment(core, tried),
    forks: new Forks(core, session, tried),
    clock,
  };
}
