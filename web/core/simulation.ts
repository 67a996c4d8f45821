/**
 * The second half of the door (core.ts has the first): what can be simulated, how a simulation
 * runs, and the scoreboard of published numbers. Scenarios cross as JSON text, as they stand in
 * a link; what they may hold is the catalogue's to say and the core's to judge.
 */
import type { Nanos } from './core.ts';

/** Everything that a scenario can be made of. The same for every run. The core has no words for its settings. */
export interface Catalogue extends CodedCatalogue {
  readonly settings: readonly Setting[];
}

/** The same as the core gives it; `words/setting-words.ts` adds the words of the settings. */
export interface CodedCatalogue {
  readonly machines: readonly Machine[];
  readonly kernels: readonly Choice[];
  /** What can be put into some kernels to watch them, and costs time there. */
  readonly instrumentation: readonly Instrumentation[];
  readonly workloads: readonly Choice[];
  readonly settings: readonly CodedSetting[];
  readonly faults: readonly FaultKind[];
  readonly mostFaults: number;
  /** How long a run may last, in simulated microseconds. */
  readonly duration: { readonly min: number; readonly max: number };
  /** The shelf; the Lab begins with the first of them. */
  readonly scenarios: readonly ShippedScenario[];
  readonly notModelled: readonly Mechanism[];
}

/** A machine, a kernel or a workload. */
export interface Choice {
  /** What scenarios call it. */
  readonly name: string;
  readonly title: string;
  /** One or two sentences: what it stands for. */
  readonly about: string;
  readonly sources: readonly Parameter[];
}

export interface Instrumentation extends Choice {
  /** Names of the kernels that it fits. */
  readonly kernels: readonly string[];
}

export interface Machine extends Choice {
  /** The largest values of the settings of these names. */
  readonly limits: { readonly cpus: number; readonly nics: number };
}

/** One parameter of a data file and where it comes from; the value is empty for a group of them. */
export interface Parameter {
  readonly parameter: string;
  readonly value: string;
  /** In words; may be empty where the rest says it. */
  readonly source: string;
  /** What it is worth, with all that it rests on: `read`, `measured`, `derived`, `chosen`, `guessed` or `fitted`. */
  readonly standing: string;
  /** Published numbers that it was fitted to: `ba.fig5 UNI 2.6`. */
  readonly fittedTo: readonly string[];
  /** Parameters that it was made from: `kernels/2.6.3:paths`. */
  readonly restsOn: readonly string[];
  /** It equals the first of these. */
  readonly isSame: boolean;
  /** Of a guess: from what to what it lies, or what else it could be; empty where nothing is known. */
  readonly range: readonly string[];
  /** What the range is of: the number, percent of each number of a group, or words. */
  readonly rangeKind: 'numbers' | 'percent' | 'choice';
}

/** Something in `settings` of a scenario. Left out, the machine, kernel or workload decides. */
export interface Setting extends CodedSetting {
  readonly title: string;
  readonly about: string;
  readonly choices: readonly { readonly name: string; readonly title: string }[];
}

/** The same without words. */
export interface CodedSetting {
  readonly name: string;
  /** `bytes`, `µs` ...; empty where it has none. */
  readonly unit: string;
  readonly kind: 'number' | 'choice' | 'switch';
  /** Bounds of a number. */
  readonly min: number | undefined;
  readonly max: number | undefined;
  /** Of a choice; what is called by a name of its own, such as a machine, has it as its title. */
  readonly choices: readonly { readonly name: string; readonly title: string | undefined }[];
  /** What holds when it is left out, where that is the same for all machines and kernels. */
  readonly default: SettingValue | undefined;
  /** Names of the workloads that it does something in; nothing: all. */
  readonly appliesTo: readonly string[] | undefined;
  /** The part of the host that it changes: `link`, `nic` ... */
  readonly place: string;
}

/** Something that can go wrong by hand at one moment. */
export interface FaultKind {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** The numbers that it needs. */
  readonly arguments: readonly FaultArgument[];
  /** It is about a frame: one that the host receives, or one that it sends. */
  readonly isOfFrame: boolean;
  /** Names of the workloads that it does something in. */
  readonly appliesTo: readonly string[];
}

export interface FaultArgument {
  readonly name: string;
  readonly title: string;
  /** Empty where it has none. */
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  /** What the form begins with. */
  readonly usual: number;
}

export type SettingValue = number | string | boolean;

/** A scenario that comes with the core, for the shelf. */
export interface ShippedScenario {
  readonly slug: string;
  readonly title: string;
  readonly about: string;
  /** JSON text. */
  readonly scenario: string;
}

/** A part of the model, with what it leaves out. */
export interface Mechanism {
  readonly title: string;
  readonly simplifications: readonly Simplification[];
}

/** Something that Linux does and the model does not, or does in another way. */
export interface Simplification {
  readonly title: string;
  readonly linux: string;
  readonly we: string;
  /** What a learner sees differently. */
  readonly seen: string;
}

export interface SimulationProgress {
  /** Simulated time so far, and how much was asked for. */
  readonly simulated: Nanos;
  readonly duration: Nanos;
  readonly events: number;
  readonly eventsPerSecond: number;
}

// ---- the scoreboard --------------------------------------------------------

/** A paper or a set of our own recordings, with everything in it that the model is held against. */
export interface Study {
  readonly name: string;
  readonly title: string;
  readonly authors: string;
  readonly year: number;
  readonly machine: string;
  readonly entries: readonly PaperEntry[];
}

/** A table or a sentence of a study. */
export interface PaperEntry {
  /** As in the list of published numbers: `ba.fig5`. */
  readonly id: string;
  /** `Table II`, `section 4.2`. */
  readonly where: string;
  readonly what: string;
  readonly unit: string;
  readonly conditions: string;
  readonly items: readonly PublishedItem[];
}

export interface PublishedItem {
  readonly item: string;
  readonly published: Published;
}

/** A number, a range of two, or what the study says in words. */
export type Published = number | readonly [low: number, high: number] | string;

/** One number of an entry as the model gives it. */
export interface Reproduced {
  readonly entry: string;
  readonly item: string;
  readonly unit: string;
  readonly published: Published;
  /** Nothing where the model cannot reach it; `note` says why. */
  readonly modelled: number | undefined;
  /** Half width of the interval in which the mean lies with 95 %. */
  readonly interval: number;
  /** Modelled by published; nothing where either is no number. */
  readonly ratio: number | undefined;
  /**
   * What it is worth that it is met: no parameter was fitted to it, one was, something is there for its
   * experiment alone, no more than a bound was published, or it only says again what was put into the model.
   */
  readonly kind: 'predicted' | 'fitted' | 'fudged' | 'bound' | 'given';
  /** How far from 1 the ratio may be: 0.1 for 10 %. */
  readonly tolerance: number;
  /** Whether it is no further away; chance decides where its interval crosses the limit of its tolerance. */
  readonly verdict: 'within' | 'missed' | 'chance';
  /** JSON text; empty where no simulation is behind it. */
  readonly scenario: string;
  readonly note: string;
}
