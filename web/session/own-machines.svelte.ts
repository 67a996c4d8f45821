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
  #refused = $state.raw<readonly OwnMachine[]>([]);
  #problem = $state.raw<string>();
  /** The last change, after which the next one is made. */
  #last: Promise<unknown> = Promise.resolve();

  get all(): readonly OwnMachine[] {
    return this.#all;
  }
  /** Those of an earlier visit that the core does not take as they are. They stay stored until they are removed. */
  get refused(): readonly OwnMachine[] {
    return this.#refused;
  }
  /** The texts of the files that the core takes. */
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
  add(text: string, ask: (texts: readonly string[]) => Promise<void>): Promise<boolean> {
    const name = nameIn(text);
    return this.#inTurn(() => this.#put(name, [{ name, text }], ask));
  }

  /** The file is a folder, or no longer exists. */
  couldNotRead(): void {
    this.#problem = m.trouble_file();
  }

  remove(name: string, ask: (texts: readonly string[]) => Promise<void>): Promise<boolean> {
    return this.#inTurn(() => this.#put(name, [], ask));
  }

  /**
   * Asks with those that were kept; where the core no longer takes them all, with those that it takes, and
   * says why the others are left out.
   */
  first<T>(ask: (texts: readonly string[]) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      if (this.#all.length === 0) return ask([]);
      try {
        return await ask(this.texts);
      } catch {
        return this.#firstOneByOne(ask);
      }
    });
  }

  async #firstOneByOne<T>(ask: (texts: readonly string[]) => Promise<T>): Promise<T> {
    const kept = this.#all;
    this.#all = [];
    let answer = await ask([]);
    for (const machine of kept) {
      try {
        answer = await ask([...this.texts, machine.text]);
        this.#all = [...this.#all, machine];
      } catch (error) {
        this.#problem = `${machine.name}: ${troubleOf(error)}`;
        this.#refused = [...this.#refused, machine];
      }
    }
    return answer;
  }

  /** Replaces the machine of this name by another, or by none. */
  async #put(
    name: string,
    by: readonly OwnMachine[],
    ask: (texts: readonly string[]) => Promise<void>,
  ): Promise<boolean> {
    const others = (machines: readonly OwnMachine[]) =>
      machines.filter((machine) => machine.name !== name);
    const all = [...others(this.#all), ...by];
    try {
      await ask(all.map(({ text }) => text));
    } catch (error) {
      this.#problem = troubleOf(error);
      return false;
    }
    this.#all = all;
    this.#refused = others(this.#refused);
    const isKept = keep(KEY, JSON.stringify([...this.#all, ...this.#refused]));
    this.#problem = isKept ? undefined : m.lab_own_machine_not_kept();
    return true;
  }

  /** Each change follows from the one before, so that of two at once neither is lost. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const next = this.#last.then(change, change);
    this.#last = next.catch(() => undefined);
    return next;
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
