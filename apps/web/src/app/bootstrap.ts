import type { QueryClient } from '@tanstack/react-query'
import type { User } from '@duet/protocol'
import { t } from '../shared/i18n.ts'
import { showToast } from '../shared/toasts.ts'
import type { AppServices } from '../shared/app-services.tsx'
import { entryParams } from '../shared/entry-params.ts'
import { onChunkFailure } from '../shared/lazy-screen.ts'
import { isRegistered } from '../shared/auth-status.ts'
import { system_key } from '../shared/queries.ts'
import { keepSoundsIn } from '../shared/sound.ts'
import { takeOver } from '../shared/takeover.ts'
import { sendDeviceFingerprint } from './device-fingerprint.ts'
import { fanOut } from './fan-out.ts'
import { newsOf } from './notices.ts'
import { clearOutage, showOutage } from './errors/outage.ts'
import { keepTheme } from './theme.ts'

/** Starts the line and everything that listens to it for as long as the page lives. */
export function bootstrap(services: AppServices, queries: QueryClient): void {
  const { connection, persistence } = services
  keepSoundsIn(persistence)
  keepTheme(services)
  onChunkFailure(() => showOutage(navigator.onLine ? 'chunk_failure' : 'no_network'))
  addEventListener('vite:preloadError', () => showOutage('chunk_failure'))
  fanOut(connection, queries)
  sendDeviceFingerprint(services)
  applyDeviceLimits()
  connection.on('identity', () => {
    // Nothing of one account may be read by the next: what is on screen is fetched anew, the rest is gone.
    queries.removeQueries({ type: 'inactive' })
    void queries.resetQueries()
  })
  connection.on('reset', () => void queries.invalidateQueries())
  let before = connection.getSnapshot().auth?.user
  connection.on('snapshot', ({ phase, auth }) => {
    if (phase === 'other_tab') takeOver()
    if (phase === 'ready') clearOutage('no_network')
    if (!auth) return
    // Portraits are blurred for whoever has not confirmed his age.
    if (before && before.age_confirmed !== auth.user.age_confirmed)
      void queries.invalidateQueries({ queryKey: system_key })
    const news = before ? newsOf(before as User, auth.user as User) : []
    before = auth.user
    for (const id of news) showToast({ title: t(id) })
    persistence.set('member', isRegistered(auth.user) || undefined)
    if (isRegistered(auth.user)) persistence.set('ref_code', undefined)
  })
  addEventListener('online', () => {
    if (connection.getSnapshot().phase === 'offline') connection.reconnectNow()
  })
  connection.start()
  void signInAsDemoUser(services)
}

/** Little memory: glass is painted solid, because blurring what moves costs frames. */
function applyDeviceLimits(): void {
  const little_gb = 4
  const memory_gb = 'deviceMemory' in navigator ? Number(navigator.deviceMemory) : undefined
  if (memory_gb !== undefined && memory_gb <= little_gb) document.documentElement.dataset.lean = ''
}

/** Demo only: the second window signs in as whom its address named. */
async function signInAsDemoUser({ connection, report }: AppServices): Promise<void> {
  const { demo_user_id } = entryParams()
  if (demo_user_id === undefined) return
  try {
    await connection.ready()
    const { token } = await connection.http.post('demo/sign-in', { user_id: demo_user_id })
    await connection.useToken(token)
  } catch (error) {
    report(error)
  }
}
