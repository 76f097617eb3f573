// Before the first paint, and when the system changes: the theme that was chosen in this browser, or that of the system.
{
  const system = matchMedia('(prefers-color-scheme: light)')
  const paint = () => {
    let chosen = null
    try {
      chosen = localStorage.getItem('duet.office.theme')
    } catch {
      // Without storage the office follows the system.
    }
    document.documentElement.dataset.theme = chosen ?? (system.matches ? 'light' : 'dark')
  }
  paint()
  system.addEventListener('change', paint)
}
