/**
 * Light, dark, or the system's choice: sets `data-theme` on the root element, on which alone `tokens.css`
 * depends. Where the choice is made and stored is left to the caller.
 */
export type ThemeChoice = 'light' | 'dark' | 'system';

const prefersDark = matchMedia('(prefers-color-scheme: dark)');
let choice: ThemeChoice = 'system';

prefersDark.addEventListener('change', show);

export function applyTheme(chosen: ThemeChoice): void {
  choice = chosen;
  show();
}

/** Sets the root's text size, on which all lengths of the page are based, and `data-hall`. */
export function applyTextSize(scale: number, isHall: boolean): void {
  const { style, dataset } = document.documentElement;
  style.fontSize = `${scale * 100}%`;
  if (isHall) dataset['hall'] = '';
  else delete dataset['hall'];
}

function show(): void {
  const system = prefersDark.matches ? 'dark' : 'light';
  document.documentElement.dataset['theme'] = choice === 'system' ? system : choice;
}
