/**
 * Whether the server has another page than the one that is open: after a new version was put there, the parts of the
 * old one are gone. The page's entry is named by a hash of all its code, so a newer page names another one. It
 * is looked for when a part did not come, and never else. Once it is there it stays so: several parts may be missed at once, and
 * what one look has found no other takes back.
 */
export class NewerPage {
  #isThere = $state(false);
  readonly #window: Window;

  constructor(window: Window) {
    this.#window = window;
    // Vite's, for a part of the page that is imported.
    window.addEventListener('vite:preloadError', () => void this.look());
  }

  get isThere(): boolean {
    return this.#isThere;
  }

  async look(): Promise<void> {
    const { document, location } = this.#window;
    const entry = document.querySelector('script[type=module]')?.getAttribute('src');
    try {
      const page = await this.#window.fetch(location.pathname, { cache: 'no-cache' });
      if (page.ok && entry) this.#isThere ||= !(await page.text()).includes(entry);
    } catch {
      // Without a network nothing is known of it.
    }
  }
}
