/**
 * The scenario in the Lab's form and the one that it is compared with, as JSON texts: they outlive the
 * form, so that one can look at a run and come back. Knows nothing of what a scenario may hold.
 */
const MOST_STEPS = 100;

export class Draft {
  #scenario = $state.raw<string>();
  #before = $state.raw<string>();
  #past = $state.raw<readonly string[]>([]);

  /** Nothing until the Lab was opened for the first time. */
  get scenario(): string | undefined {
    return this.#scenario;
  }

  /** What the scenario is compared with: what one began with, until another is kept for that. */
  get before(): string | undefined {
    return this.#before;
  }

  /** A change of the scenario in the form. */
  set(scenario: string): void {
    if (this.#scenario !== undefined && scenario !== this.#scenario)
      this.#past = [...this.#past, this.#scenario].slice(-MOST_STEPS);
    this.#scenario = scenario;
    this.#before ??= scenario;
  }

  /** Something else to work on: compared with `before`, or with itself until it is changed. */
  load(scenario: string, before = scenario): void {
    this.set(scenario);
    this.#before = before;
  }

  /** From now on the scenario is compared with how it is now. */
  keep(): void {
    this.#before = this.#scenario;
  }

  /** There is a change to take back. */
  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  /** Takes back the last change; false where there is none. */
  undo(): boolean {
    const last = this.#past.at(-1);
    if (last === undefined) return false;
    this.#past = this.#past.slice(0, -1);
    this.#scenario = last;
    return true;
  }

  /** What to begin with, where nothing was begun. */
  begin(scenario: string | undefined): void {
    this.#scenario ??= scenario;
    this.#before ??= scenario;
  }
}
