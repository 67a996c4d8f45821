/**
 * A lesson as it is played: its front matter, and its steps with the content of their directives. Pure
 * data, made by `read.ts`; a step inherits what it leaves out from the step before.
 */
import type { StageView } from '../../core/stage-view.ts';
import type { Attributes, Choice } from './directives.ts';
import type { Fact, Term } from './fact.ts';
import type { FrontMatter } from './front-matter.ts';
import type { Moment, Packet } from './moment.ts';
import type { Block, Inline } from './prose.ts';

export interface Lesson extends FrontMatter {
  /** The name of its folder; it is in links and never changes. */
  readonly id: string;
  readonly file: string;
  readonly steps: readonly [Step, ...Step[]];
  /** Glossary terms in the text, each with the line of its first use. */
  readonly terms: readonly { readonly term: string; readonly line: number }[];
}

/** A statement about a run, with its line in the file. */
export type Placed<T> = T & { readonly line: number };

export interface Step {
  readonly line: number;
  readonly title: string;
  readonly prose: readonly Block[];
  /** What the stage shows, including what earlier steps have set. */
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

/** A thing to look at, by the kernel's name. */
export type Target =
  | { readonly kind: 'station' | 'queue' | 'finding' | 'function'; readonly name: string }
  | { readonly kind: 'cpu'; readonly cpu: number }
  | { readonly kind: 'packet'; readonly packet: Packet };

export interface Ask {
  readonly line: number;
  readonly id: string;
  readonly isLocked: boolean;
  readonly isTransfer: boolean;
  /** Whether the answer is shown from the start. */
  readonly isGiven: boolean;
  readonly question: readonly Block[];
  readonly options: readonly Option[];
}

export interface Option {
  readonly line: number;
  readonly isRight: boolean;
  readonly text: readonly Inline[];
  /** Why the option is right or wrong. */
  readonly feedback: readonly Inline[];
  /** What the option claims about the runs. */
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
  /** `undefined`: the entry's own unit. */
  readonly unit: string | undefined;
  /** The label in the table; `undefined`: the item. */
  readonly label: string | undefined;
  readonly measure: Term;
  readonly tolerance: number;
  readonly direction: Fact | undefined;
  /** The question whose answer is the learner's prediction of the number. */
  readonly ask: string | undefined;
}

export type { Choice, Fact, FrontMatter, Term };
