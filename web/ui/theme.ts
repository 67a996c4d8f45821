/**
 * Light, dark, or as the system says: sets `data-theme` on the root element, which is all
 * that `tokens.css` looks at. Knows nothing of who chose, or where the choice is kept.
 */
export type ThemeChoice = 'light' | 'dark' | 'system';

const prefersDark = matchMedia('(prefers-color-scheme: dark)');
let choice: ThemeChoice = 'system';

prefersDark.addEventListener('change', show);

export function applyTheme(chosen: ThemeChoice): void {
  choice = chosen;
  show();
}

/** Sets the size of the root's text, from which all lengths of the page are told, and `data-hall`. */
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
