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
    return this.page.getByRole('heading', { name, exact: true });
  }

  /** A card of a shelf, in its order. */
  card(index: number): Locator {
    return this.page.getByRole('article').nth(index);
  }

  /** The Lab's form, and a field of it. */
  form(): Locator {
    return this.page.getByRole('form', { name: 'Scenario' });
  }

  field(name: string | RegExp): Locator {
    return this.form().getByLabel(name);
  }

  /** The scoreboard's entry of that id. */
  entry(id: string): Locator {
    return this.page.getByRole('article').filter({ has: this.page.getByText(id, { exact: true }) });
  }

  /** Unfolds the table of an entry. */
  async showNumbers(id: string): Promise<void> {
    await this.entry(id).getByText('The numbers').click();
  }

  /** The link of a recording on the shelf. */
  recording(title: string): Locator {
    return this.page.getByRole('article').getByRole('link', { name: title, exact: true });
  }

  /** Asks a question of the Lab, and watches both of its runs. */
  async watchBoth(question: string): Promise<void> {
    await this.open('#v=1&at=lab');
    await this.page.getByRole('link', { name: question }).click();
    await this.region('What comes of it').getByRole('button', { name: 'Watch both' }).click();
    await expect(this.page.getByRole('application')).toHaveCount(2);
    await this.control('Pause').click();
  }

  /** Opens a recording from the shelf and waits for its first picture. */
  async openRecording(title: string): Promise<void> {
    await this.recording(title).click();
    await expect(this.transport()).toBeVisible();
    await this.idle();
  }

  transport(): Locator {
    return this.page.getByRole('region', { name: 'Transport' });
  }

  /** A button of the transport, by its words. */
  control(name: string | RegExp): Locator {
    return this.transport().getByRole('button', { name, exact: true });
  }

  /** The moment that is shown, to the nanosecond. */
  moment(): Locator {
    return this.transport().getByRole('time');
  }

  /** What of the stage is seen; it is scrolled where there is more. */
  stageRoom(): Locator {
    return this.page.getByRole('application').locator('..');
  }

  /** What the stage shows, for those who cannot see it. */
  stageInWords(): Locator {
    return this.page.getByRole('list', { name: 'What the stage shows' });
  }

  scale(): Locator {
    return this.transport().getByRole('group', { name: 'Scale of the film' });
  }

  slider(): Locator {
    return this.transport().getByRole('slider', { name: 'Time' });
  }

  /** The sentence that tells what happened last, as it is seen under the stage. */
  said(): Locator {
    return this.page.locator('.status .last');
  }

  /** All that is read aloud of it. */
  spoken(): Locator {
    return this.page.getByRole('log', { name: 'What happened last' });
  }

  /** The same, as it is seen for a while on every place but the stage. */
  seenSaid(): Locator {
    return this.page.locator('.said');
  }

  /** What is wrong with an import. */
  alarm(): Locator {
    return this.page.getByRole('alert');
  }

  /** A sentence about a link, above the place one is in. */
  notice(): Locator {
    return this.page.getByRole('status').filter({ has: this.page.getByRole('list') });
  }

  dialog(name: string): Locator {
    return this.page.getByRole('dialog', { name });
  }

  /** Opens the palette by its key, and waits until one can type. */
  async openPalette(): Promise<Locator> {
    await this.page.keyboard.press('Control+k');
    const palette = this.dialog('Find a command');
    await expect(palette.getByRole('combobox')).toBeFocused();
    return palette;
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name });
  }

  tooltip(): Locator {
    return this.page.getByRole('tooltip');
  }

  /** Where the time line's lanes are drawn, slim or all. */
  lanes(): Locator {
    return this.page.locator('.timeline .lanes, .timeline .surface');
  }

  /** A flag on the time line, by its words. */
  flag(words: RegExp): Locator {
    return this.page.locator('.timeline').getByRole('button', { name: words, includeHidden: true });
  }

  /** The rings around what a lesson's step says to look at. */
  rings(): Locator {
    return this.page.locator('#stage-view i');
  }

  /** What dims all that a lesson's step is not about. */
  veil(): Locator {
    return this.page.locator('#stage-view .veil');
  }

  async leftOf(place: Locator): Promise<number> {
    return (await place.boundingBox())?.x ?? NaN;
  }

  async topOf(place: Locator): Promise<number> {
    return (await place.boundingBox())?.y ?? NaN;
  }

  region(name: string): Locator {
    return this.page.getByRole('region', { name });
  }

  /**
   * From now on presses a button as soon as the region says something, in the page itself: whatever is under
   * way cannot end between the two. The answer waits for that and has what the region said.
   */
  async pressOnce(button: string, region: string, says: RegExp): Promise<() => Promise<string>> {
    const wanted = { button, region, says: says.source };
    await this.page.evaluate((asked) => {
      const watcher = new MutationObserver(() => {
        const found = document.querySelector(`section[aria-label="${asked.region}"]`);
        const text = found?.textContent ?? '';
        const buttons = [...(found?.querySelectorAll('button') ?? [])];
        const one = buttons.find(({ innerText }) => innerText.trim() === asked.button);
        if (one === undefined || !new RegExp(asked.says).test(text)) return;
        watcher.disconnect();
        document.body.dataset['pressed'] = text;
        one.click();
      });
      watcher.observe(document.body, { subtree: true, childList: true, characterData: true });
    }, wanted);
    return async () => {
      const pressed = this.page.locator('body[data-pressed]');
      return (await pressed.getAttribute('data-pressed')) ?? '';
    };
  }

  /**
   * From now on notes how far below the page's upper edge a region stands when it appears, in the page itself: it may be
   * gone soon. The answer waits for that, in pixels.
   */
  async topOnceThere(region: string): Promise<() => Promise<number>> {
    await this.page.evaluate((name) => {
      const watcher = new MutationObserver(() => {
        const found = document.querySelector(`section[aria-label="${name}"]`);
        if (found === null) return;
        watcher.disconnect();
        document.body.dataset['top'] = String(found.getBoundingClientRect().top);
      });
      watcher.observe(document.body, { subtree: true, childList: true });
    }, region);
    return async () => Number(await this.page.locator('body[data-top]').getAttribute('data-top'));
  }

  /** Drops files on the middle of the page. */
  async drop(files: readonly { readonly name: string; readonly bytes: Buffer }[]): Promise<void> {
    const sent = files.map(({ name, bytes }) => ({ name, base64: bytes.toString('base64') }));
    const transfer = await this.page.evaluateHandle((given) => {
      const data = new DataTransfer();
      for (const { name, base64 } of given) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], name));
      }
      return data;
    }, sent);
    await this.page.dispatchEvent('main', 'dragenter', { dataTransfer: transfer });
    await expect(this.page.getByText('Drop to open')).toBeVisible();
    await this.page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
  }

  /** The name, the places, and what is known of the run that is open. */
  banner(): Locator {
    return this.page.getByRole('banner');
  }

  footer(): Locator {
    return this.page.getByRole('contentinfo');
  }

  /** What axe finds wrong, in all or one part, one line per rule with the elements it means. */
  async accessibilityProblems(part = 'html'): Promise<string[]> {
    const { violations } = await new AxeBuilder({ page: this.page }).include(part).analyze();
    return violations.map(
      ({ id, help, nodes }) =>
        `${id}: ${help} (${nodes.map((node) => node.target.join(' ')).join(', ')})`,
    );
  }
}
