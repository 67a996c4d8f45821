/**
 * What the core has to say about a run: a code and typed values, in no language. The page says
 * them in one place, `web/words/say.ts`. The core's side is `wasm-core/core/src/saying.rs`.
 */

export interface Saying {
  /** Words with dots between them; its message is `say_` and the code with underscores. */
  readonly code: string;
  /** The values of its message by name. */
  readonly values: Readonly<Record<string, SayingValue>>;
  /** Whether it is inferred from what was recorded and was not itself recorded. */
  readonly isInferred: boolean;
}

/**
 * A value. Amounts: nanoseconds, bytes, a share from 0 to 1. A station, a drop
 * reason and a probe are places in the glossary's lists, a queue and a flow in the run's; a task is
 * its number.
 */
export type SayingValue =
  | { readonly kind: AmountKind | IndexKind; readonly value: number }
  /** A packet with its short name: `7`, `7 · 3/6`. */
  | { readonly kind: 'packet'; readonly value: number; readonly name: string }
  /** A name from the trace itself (a device, a command, a lock), or why a line cannot be read, by the ledger's text. */
  | { readonly kind: 'name' | 'unread'; readonly value: string }
  /** Another saying, whose sentence is a part of this one's. */
  | { readonly kind: 'said'; readonly value: Saying };

/** A text among the values of a saying; nothing where it has none of this name. */
export function nameIn({ values }: Saying, name: string): string | undefined {
  const value = values[name];
  return value?.kind === 'name' ? value.value : undefined;
}

export type AmountKind = 'nanos' | 'count' | 'number' | 'bytes' | 'share';

export type IndexKind = 'cpu' | 'queue' | 'station' | 'dropReason' | 'probe' | 'task' | 'flow';
