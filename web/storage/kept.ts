/**
 * Texts that the browser keeps between visits, by their names, on this machine only. Private windows, full
 * storage and blocked storage refuse: then nothing is kept, and the page works without.
 */

/** The text stored under a name; `undefined` if there is none, or it cannot be read. */
export function kept(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

let tellRefused: (() => void) | undefined;

/** Registers a callback that is called once, when a text could not be stored. */
export function whenNotKept(tell: () => void): void {
  tellRefused = tell;
}

/** Stores a text; false if the browser refused, in which case it is lost with the page. */
export function keep(key: string, text: string): boolean {
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    tellRefused?.();
    tellRefused = undefined;
    return false;
  }
}
