/**
 * All that is said to screen readers, by one voice: the app renders `lines` in the page's one live region
 * for what happens on the stage. One step can give an answer, a caption, another text for the thing that has
 * the focus and another for a term that is pointed at; of what comes at about the same time the more urgent
 * is said. `sentence` is the last answer, for all eyes. Holds no element.
 */
import { untrack } from 'svelte';

/** Who speaks, the most urgent first. */
const VOICES = ['answer', 'finding', 'caption', 'focus', 'term'] as const;
export type Voice = (typeof VOICES)[number];

/** These go with the answer to a step or a key: what happened there is what was asked for. */
const WITH_ANSWER: ReadonlySet<Voice> = new Set(['finding', 'caption']);

/** For so long a less urgent voice is kept back: the picture of a step comes a little after its answer. */
const TURN_MS = 1000;
/** So often the film is told while it runs. */
const PATIENCE_MS = 5000;

export interface Line {
  readonly id: number;
  readonly voice: Voice;
  readonly text: string;
  /** What is always in English, after it. */
  readonly english: string;
  readonly atMs: number;
}

export class Announcer {
  readonly #now: () => number;
  #sentence = $state('');
  #isRefusal = false;
  #count = $state(0);
  #lines = $state.raw<readonly Line[]>([]);
  #nextId = 0;
  #mentionedMs = -Infinity;
  /** Each voice's last text: whoever tells a moment anew has nothing new to say. */
  readonly #last: Partial<Record<Voice, string>> = {};

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The last answer. */
  get sentence(): string {
    return this.#sentence;
  }

  /** Number of answers so far, so that a repeated sentence counts as new. */
  get count(): number {
    return this.#count;
  }

  /** What is to be read aloud, each once, in this order. */
  get lines(): readonly Line[] {
    return this.#lines;
  }

  /** Announces the answer to an action of the viewer; an empty one takes back what was said. */
  say(sentence: string): void {
    this.#isRefusal = false;
    this.#sentence = sentence;
    // An effect that announces something must not depend on what was announced before.
    this.#count = untrack(() => this.#count) + 1;
    if (sentence === '') this.#lines = [];
    else this.#speak('answer', sentence, '');
  }

  /** Announces why nothing was done. It stands until something is. */
  refuse(reason: string): void {
    this.say(reason);
    this.#isRefusal = true;
  }

  /** Something is done: what was refused before is no longer of interest. What was read aloud stays. */
  takeBackRefusal(): void {
    if (this.#isRefusal) this.#sentence = '';
    this.#isRefusal = false;
  }

  /** Announces what another voice has to say, unless it said so last or a more urgent one has just spoken. */
  tell(voice: Exclude<Voice, 'answer'>, text: string, english = ''): boolean {
    const isHeard = text !== '' && this.#last[voice] !== text && !this.#isKeptBack(voice);
    if (isHeard) this.#speak(voice, text, english);
    return isHeard;
  }

  /** The same of the film while it runs, at most every few seconds. */
  mention(text: string): void {
    if (this.#now() - this.#mentionedMs < PATIENCE_MS) return;
    if (this.tell('caption', text)) this.#mentionedMs = this.#now();
  }

  #isKeptBack(voice: Voice): boolean {
    return this.#turn().some((line) => outranks(line.voice, voice));
  }

  #speak(voice: Voice, text: string, english: string): void {
    const kept = this.#turn().filter(
      (line) => line.voice !== voice && !outranks(voice, line.voice),
    );
    const line = { id: this.#nextId, voice, text, english, atMs: this.#now() };
    this.#nextId += 1;
    this.#last[voice] = text;
    this.#lines = [...kept, line];
  }

  /** The lines that have only just been said. */
  #turn(): readonly Line[] {
    const now = this.#now();
    return untrack(() => this.#lines).filter(({ atMs }) => now - atMs < TURN_MS);
  }
}

/** Whether one voice silences another that speaks at about the same time. */
function outranks(one: Voice, other: Voice): boolean {
  if (one === 'answer' && WITH_ANSWER.has(other)) return false;
  return VOICES.indexOf(one) < VOICES.indexOf(other);
}
