/**
 * The app as a visitor meets it: what one can do and see, in names and roles. The specs know
 * no selector; this file is the only one that does.
 */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Locator, type Page } from '@playwright/test';

export class Visualizer {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens the app (with a fragment or query, if given) and waits until nothing is under way. */
  async open(address = ''): Promise<void> {
    await this.page.goto(`./${address}`);
    await this.idle();
  }

  /** Waits for the app to say that nothing is under way; never for time to pass. */
  async idle(): Promise<void> {
    await expect(this.page.locator('[data-idle]')).toBeVisible();
  }

  place(name: string): Locator {
    return this.page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name });
  }

  heading(name: string): Locator {
    return this.page.getByRole('heading', { name });
  }

  footer(): Locator {
    return this.page.getByRole('contentinfo');
  }

  /** What axe finds wrong, one line per rule with the elements it means. */
  async accessibilityProblems(): Promise<string[]> {
    const { violations } = await new AxeBuilder({ page: this.page }).analyze();
    return violations.map(
      ({ id, help, nodes }) =>
        `${id}: ${help} (${nodes.map((node) => node.target.join(' ')).join(', ')})`,
    );
  }
}
