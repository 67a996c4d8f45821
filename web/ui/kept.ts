/**
 * What the browser keeps from one visit to the next, texts by their names, on this machine and
 * nowhere else. Private windows, full stores and blocked ones refuse: then nothing is kept, and the
 * page goes on without.
 */

/** What was kept under a name; nothing where there is nothing, or it cannot be read. */
export function kept(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}

let tellRefused: (() => void) | undefined;

/** Is told, once, when the first text is not kept. */
export function whenNotKept(tell: () => void): void {
  tellRefused = tell;
}

/** Whether it was kept; else it is forgotten with the page. */
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
