/**
 * A lesson as it is played: its head, and its steps with everything that the directives say.
 * Pure data, made by `read.ts`; what a step leaves out is what the step before had.
 */
import type { StageView } from '../../core/stage-view.ts';
import type { Attributes, Choice } from './directives.ts';
import type { Fact, Term } from './fact.ts';
import type { FrontMatter } from './front-matter.ts';
import type { Moment, Packet } from './moment.ts';
import type { Block, Inline } from './prose.ts';

export interface Lesson extends FrontMatter {
  /** Its folder's name; it is in links and never changes. */
  readonly id: string;
  readonly file: string;
  readonly steps: readonly [Step, ...Step[]];
  /** Terms of the glossary that the text uses, each with the line of its first use. */
  readonly terms: readonly { readonly term: string; readonly line: number }[];
}

/** What says something of a run, with its line in the file. */
export type Placed<T> = T & { readonly line: number };

export interface Step {
  readonly line: number;
  readonly title: string;
  readonly prose: readonly Block[];
  /** What the stage shows, with what the steps before have set. */
  readonly scene: Scene;
  readonly play: Placed<Attributes<'play'>> | undefined;
  readonly targets: readonly Placed<Target>[];
  readonly ask: Ask | undefined;
  readonly reveal: Placed<Reveal> | undefined;
  readonly vary: Vary | undefined;
  readonly compares: readonly Placed<Compare>[];
  readonly expects: readonly Placed<{ readonly fact: Fact }>[];
  readonly cards: readonly Placed<{ readonly term: string }>[];
  readonly hints: readonly (readonly Block[])[];
  readonly alt: readonly Block[];
  readonly notes: readonly Block[];
}

export interface Scene {
  readonly line: number;
  readonly run: string;
  readonly view: StageView;
  readonly at: Moment;
  readonly follow: Packet | undefined;
}

/** One thing to look at, named as the kernel names it. */
export type Target =
  | { readonly kind: 'station' | 'queue' | 'finding' | 'function'; readonly name: string }
  | { readonly kind: 'cpu'; readonly cpu: number }
  | { readonly kind: 'packet'; readonly packet: Packet };

export interface Ask {
  readonly line: number;
  readonly id: string;
  readonly isLocked: boolean;
  readonly isTransfer: boolean;
  /** Shown with its answer from the start. */
  readonly isGiven: boolean;
  readonly question: readonly Block[];
  readonly options: readonly Option[];
}

export interface Option {
  readonly line: number;
  readonly isRight: boolean;
  readonly text: readonly Inline[];
  /** Why it is right or wrong. */
  readonly feedback: readonly Inline[];
  /** What it claims of the runs. */
  readonly fact: Fact;
}

export interface Reveal {
  readonly ask: string;
  readonly bars: readonly { readonly label: string; readonly term: Term }[];
}

export interface Vary {
  readonly line: number;
  readonly run: string;
  readonly goal: Fact;
  readonly show: readonly Term[];
  readonly settings: readonly VariedSetting[];
}

export interface VariedSetting {
  readonly name: string;
  readonly label: string;
  readonly values: readonly Choice[];
}

export interface Compare {
  readonly entry: string;
  readonly item: string;
  /** Nothing: the entry's own. */
  readonly unit: string | undefined;
  /** What stands in the table; nothing: the item. */
  readonly label: string | undefined;
  readonly measure: Term;
  readonly tolerance: number;
  readonly direction: Fact | undefined;
  /** The question whose answer is the learner's prediction of it. */
  readonly ask: string | undefined;
}

export type { Choice, Fact, FrontMatter, Term };
