/**
 * Machines of the viewer's own: files written by `ringside measure-host`, stored in this browser with their
 * names. Only the core reads and checks their contents.
 */
import * as v from 'valibot';
import { keep, kept } from '../storage/kept.ts';
import { m } from '../words/generated/messages.js';
import { troubleOf } from '../words/trouble.ts';

export interface OwnMachine {
  readonly name: string;
  /** The text of the machine file. */
  readonly text: string;
}

const KEY = 'ringside.machines';

const KeptSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.object({ name: v.string(), text: v.string() })),
);

export class OwnMachines {
  #all = $state.raw<readonly OwnMachine[]>(readKept());
  #problem = $state.raw<string>();

  get all(): readonly OwnMachine[] {
    return this.#all;
  }
  /** The texts of their files. */
  get texts(): readonly string[] {
    return this.#all.map(({ text }) => text);
  }
  /** The core's message about the last file, if it refused it. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /**
   * Puts a machine beside the others, or in the place of that of its name, if `ask` takes them all; the
   * others stay as they are if it does not. True if it was taken.
   */
  async add(text: string, ask: (texts: readonly string[]) => Promise<void>): Promise<boolean> {
    const name = nameIn(text);
    const others = this.#all.filter((machine) => machine.name !== name);
    return this.#put([...others, { name, text }], ask);
  }

  /** The file is a folder, or no longer exists. */
  couldNotRead(): void {
    this.#problem = m.trouble_file();
  }

  async remove(name: string, ask: (texts: readonly string[]) => Promise<void>): Promise<boolean> {
    return this.#put(
      this.#all.filter((machine) => machine.name !== name),
      ask,
    );
  }

  async #put(
    all: readonly OwnMachine[],
    ask: (texts: readonly string[]) => Promise<void>,
  ): Promise<boolean> {
    try {
      await ask(all.map(({ text }) => text));
    } catch (error) {
      this.#problem = troubleOf(error);
      return false;
    }
    this.#all = all;
    const isKept = keep(KEY, JSON.stringify(all));
    this.#problem = isKept ? undefined : m.lab_own_machine_not_kept();
    return true;
  }

  /** Asks with those that were kept; where the core no longer takes them, without any, and says so. */
  async first<T>(ask: (texts: readonly string[]) => Promise<T>): Promise<T> {
    if (this.#all.length === 0) return ask([]);
    try {
      return await ask(this.texts);
    } catch (error) {
      this.#problem = troubleOf(error);
      this.#all = [];
      return ask([]);
    }
  }
}

function readKept(): readonly OwnMachine[] {
  const read = v.safeParse(KeptSchema, kept(KEY));
  return read.success ? read.output : [];
}

/** The name in a machine file; empty if there is none, which the core reports. */
export function nameIn(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const isNamed = typeof value === 'object' && value !== null && 'name' in value;
    return isNamed && typeof value.name === 'string' ? value.name : '';
  } catch {
    return '';
  }
}
