import type { AppServices } from '../shared/app-services.tsx'
import { isRegistered } from '../shared/auth-status.ts'

export type Theme = 'system' | 'dark' | 'light'

const prefersLight = () => matchMedia('(prefers-color-scheme: light)')

/** Dark is home: it is what the page is in until somebody chooses otherwise. */
export function themeOf(theme: Theme | undefined, isLightSystem: boolean): 'dark' | 'light' {
  return theme === 'light' || (theme === 'system' && isLightSystem) ? 'light' : 'dark'
}

function paint(theme: Theme | undefined): void {
  document.documentElement.dataset.theme = themeOf(theme, prefersLight().matches)
}

/** Keeps the page in the theme that was chosen here, or that the member's record names. */
export function keepTheme({ connection, persistence }: AppServices): void {
  paint(persistence.get('theme'))
  prefersLight().addEventListener('change', () => paint(persistence.get('theme')))
  connection.on('snapshot', ({ auth }) => {
    // 'system' is also what a record says that never chose: dark stays home then.
    if (!auth || !isRegistered(auth.user) || auth.user.theme === 'system') return
    if (auth.user.theme === persistence.get('theme')) return
    persistence.set('theme', auth.user.theme)
    paint(auth.user.theme)
  })
}

/** Chooses a theme, here and in the own record. */
export async function chooseTheme(
  { connection, persistence, report }: AppServices,
  theme: Theme,
): Promise<void> {
  persistence.set('theme', theme)
  paint(theme)
  if (!isRegistered(connection.getSnapshot().auth?.user)) return
  connection.patchUser({ theme })
  await connection.act('UPDATE_PROFILE', { theme }).catch(report)
}
