import type { Theme } from '@duet/protocol/kernel/profile-fields.ts'
import type { AppServices } from '../../shared/app-services.tsx'
import { isRegistered } from '../../shared/account/auth-status.ts'
import { followConnection } from '../../shared/connection/follow-connection.ts'
import { createStore, useStore } from '../../shared/observable-store.ts'
import { useMediaQuery } from '@duet/ui'

const SYSTEM_IS_LIGHT = '(prefers-color-scheme: light)'
const systemIsLight = () => matchMedia(SYSTEM_IS_LIGHT)

/** The choice of this device. Every control of the page shows the same value. */
const chosenTheme = createStore<Theme | undefined>(undefined)

/** Dark is the default until the user chooses a theme. */
export function resolveTheme(theme: Theme | undefined, isSystemLight: boolean): 'dark' | 'light' {
  return theme === 'light' || (theme === 'system' && isSystemLight) ? 'light' : 'dark'
}

/** The chosen theme, for a control that offers all of them. */
export function useTheme(): Theme {
  return useStore(chosenTheme) ?? 'dark'
}

/** The present theme of the page, for a control that switches to the other theme. */
export function usePaintedTheme(): 'dark' | 'light' {
  return resolveTheme(useStore(chosenTheme), useMediaQuery(SYSTEM_IS_LIGHT))
}

function paint(theme: Theme | undefined): void {
  chosenTheme.set(theme)
  const root = document.documentElement
  root.dataset.theme = resolveTheme(theme, systemIsLight().matches)
  // The bars of a phone's browser have the colour of the page.
  const bars = document.querySelector<HTMLMetaElement>('meta[name="theme-color"]')
  if (bars) bars.content = getComputedStyle(root).getPropertyValue('--bg')
}

/** Keeps the page in the theme that was chosen on this device, or that the member's record names. */
export function applyTheme({ connection, persistence }: AppServices): void {
  paint(persistence.get('theme'))
  systemIsLight().addEventListener('change', () => paint(persistence.get('theme')))
  followConnection(connection, {
    ownRecord(auth) {
      // A record without a choice also has 'system', so it does not replace the dark default.
      if (!auth || !isRegistered(auth.user) || auth.user.theme === 'system') return
      if (auth.user.theme === persistence.get('theme')) return
      persistence.set('theme', auth.user.theme)
      paint(auth.user.theme)
    },
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
