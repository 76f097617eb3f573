import type { Theme } from '@duet/protocol/kernel/entities.ts'
import type { AppServices } from '../../shared/app-services.tsx'
import { isRegistered } from '../../shared/auth-status.ts'

const systemIsLight = () => matchMedia('(prefers-color-scheme: light)')

/** Dark is the default until the user chooses a theme. */
export function resolveTheme(theme: Theme | undefined, isSystemLight: boolean): 'dark' | 'light' {
  return theme === 'light' || (theme === 'system' && isSystemLight) ? 'light' : 'dark'
}

function paint(theme: Theme | undefined): void {
  document.documentElement.dataset.theme = resolveTheme(theme, systemIsLight().matches)
}

/** Keeps the page in the theme that was chosen on this device, or that the member's record names. */
export function applyTheme({ connection, persistence }: AppServices): void {
  paint(persistence.get('theme'))
  systemIsLight().addEventListener('change', () => paint(persistence.get('theme')))
  connection.on('snapshot', ({ auth }) => {
    // A record without a choice also has 'system', so it does not replace the dark default.
    if (!auth || !isRegistered(auth.user) || auth.user.theme === 'system') return
    if (auth.user.theme === persistence.get('theme')) return
    persistence.set('theme', auth.user.theme)
    paint(auth.user.theme)
  })
}

/** Sets a theme on this device and in the own record. */
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
