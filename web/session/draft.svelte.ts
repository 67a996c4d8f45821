/**
 * The scenario in the Lab's form, as JSON text: it outlives the form, so that one can look at a
 * run and come back. Knows nothing of what a scenario may hold.
 */
export class Draft {
  #scenario = $state.raw<string>();

  /** Nothing until the Lab was opened for the first time. */
  get scenario(): string | undefined {
    return this.#scenario;
  }

  set(scenario: string): void {
    this.#scenario = scenario;
  }

  /** What to begin with, where nothing was begun. */
  begin(scenario: string | undefined): void {
    this.#scenario ??= scenario;
  }
}
