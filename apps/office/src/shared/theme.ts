/** The name that `theme.js` of the page reads. */
const KEPT = 'duet.office.theme'

/** Changes between dark and light. The theme of the system is followed again when it is chosen. */
export function switchTheme(): void {
  const root = document.documentElement
  const theme = root.dataset['theme'] === 'light' ? 'dark' : 'light'
  const isSystem = (theme === 'light') === matchMedia('(prefers-color-scheme: light)').matches
  root.dataset['theme'] = theme
  try {
    if (isSystem) localStorage.removeItem(KEPT)
    else localStorage.setItem(KEPT, theme)
  } catch {
    // The browser keeps nothing: the theme lasts until the page is left.
  }
}
