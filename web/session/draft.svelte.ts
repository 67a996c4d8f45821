/**
 * The scenario in the Lab's form and the one that it is compared with, as JSON texts: they outlive the
 * form, so that one can look at a run and come back. Knows nothing of what a scenario may hold.
 */
export class Draft {
  #scenario = $state.raw<string>();
  #before = $state.raw<string>();

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

  /** What to begin with, where nothing was begun. */
  begin(scenario: string | undefined): void {
    this.#scenario ??= scenario;
    this.#before ??= scenario;
  }
}
