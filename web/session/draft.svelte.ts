/**
 * The scenario in the Lab's form and the baseline that it is compared with, as JSON texts. They outlive the
 * form, so that the viewer can look at a run and return. The contents of a scenario are not known here.
 */
export class Draft {
  #scenario = $state.raw<string>();
  #before = $state.raw<string>();

  /** `undefined` until the Lab was first opened. */
  get scenario(): string | undefined {
    return this.#scenario;
  }

  /** The baseline: the scenario that the viewer began with, until another is kept. */
  get before(): string | undefined {
    return this.#before;
  }

  /** Changes the scenario in the form. */
  set(scenario: string): void {
    this.#scenario = scenario;
    this.#before ??= scenario;
  }

  /** Loads another scenario, compared with `before`, or with itself until it is changed. */
  load(scenario: string, before = scenario): void {
    this.set(scenario);
    this.#before = before;
  }

  /** Makes the current scenario the baseline. */
  keep(): void {
    this.#before = this.#scenario;
  }

  /** Sets the initial scenario, unless the form already has one. */
  begin(scenario: string | undefined): void {
    this.#scenario ??= scenario;
    this.#before ??= scenario;
  }
}
