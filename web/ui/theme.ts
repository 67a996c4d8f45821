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

function show(): void {
  const system = prefersDark.matches ? 'dark' : 'light';
  document.documentElement.dataset['theme'] = choice === 'system' ? system : choice;
}
