import { useEffect, useState } from 'react'
import { Spinner } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { useAuthStatus } from '../../shared/account/auth-status.ts'
import { useAppServices, useSnapshot } from '../../shared/app-services.tsx'
import { useStore } from '../../shared/observable-store.ts'
import { connectionLineShown } from '../../shared/navigation/connection-line-shown.ts'
import { callScreenShown } from '../../shared/video/call-screen-shown.ts'
import { clearPassingOutage, showProblem } from '../errors/outage.ts'

const SHOW_AFTER_MS = 1000
/** A longer loss of the connection blocks the page: its content may be out of date. */
const BLOCK_AFTER_MS = 12_000

/** Shown while the connection is lost and restored by itself. The call screen and a dialog show this by themselves. */
export function ReconnectingPill() {
  const isCallScreen = useStore(callScreenShown)
  const isLost = useSnapshot().phase === 'offline' && !isCallScreen
  const hasOwnLine = useStore(connectionLineShown)
  const [isShown, setShown] = useState(false)
  useBlockedPage(isCallScreen, hasOwnLine)
  useEffect(() => {
    if (!isLost) return
    const show = setTimeout(() => setShown(true), SHOW_AFTER_MS)
    return () => {
      clearTimeout(show)
      setShown(false)
    }
  }, [isLost])
  if (!isShown || hasOwnLine) return null
  return (
    <p
      role="status"
      className="glass ui fixed inset-x-0 top-4 z-toast mx-auto flex min-h-11 w-fit items-center gap-2.5 rounded-full px-5"
    >
      <Spinner size={16} />
      {t('system.reconnecting')}
    </p>
  )
}

/**
 * Blocks a member's page that stays without a connection, also before the first connection. A screen with an own line about
 * the connection works on: what is written there waits to be sent.
 */
function useBlockedPage(isCallScreen: boolean, hasOwnLine: boolean): void {
  const { connection } = useAppServices()
  const { phase, auth } = useSnapshot()
  // A visitor can read the landing page without a connection.
  const isGuest = useAuthStatus() === 'guest'
  // A running call continues without the server, so its card stays reachable.
  const hasCall = Boolean(auth?.active_session) || isCallScreen
  const isAway = phase === 'connecting' || phase === 'offline' || phase === 'stopped'
  const isBlocked = isAway && !isGuest && !hasCall && !hasOwnLine
  useEffect(() => {
    if (!isBlocked) return
    const block = setTimeout(() => showProblem(connection.getSnapshot().problem), BLOCK_AFTER_MS)
    return () => {
      clearTimeout(block)
      clearPassingOutage()
    }
  }, [connection, isBlocked])
}
