const key = 'idne.theme';
const themes = ['auto', 'light', 'dark'] as const;
const signs = { auto: '◐', light: '☀', dark: '☾' };

/** The system's theme, until the reader chooses one. */
export function themeButton(button: HTMLButtonElement): void {
  let theme = themes.find(t => t === localStorage.getItem(key)) ?? 'auto';
  const apply = (): void => {
    if (theme === 'auto') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
    button.textContent = signs[theme];
    button.title = `Theme: ${theme}`;
    button.setAttribute('aria-label', `Theme: ${theme}`);
    document.dispatchEvent(new Event('themechange'));
  };
  button.addEventListener('click', () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length]!;
    localStorage.setItem(key, theme);
    apply();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
  apply();
}
