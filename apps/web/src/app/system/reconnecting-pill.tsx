import { useEffect, useState } from 'react'
import type { ConnectionProblem } from '@duet/client'
import { Spinner } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { useAuthStatus } from '../../shared/auth-status.ts'
import { useAppServices, useSnapshot } from '../../shared/app-services.tsx'
import { useStore } from '../../shared/observable-store.ts'
import { callScreenShown } from '../../shared/video/call-screen-shown.ts'
import { clearOutage, showOutage, type Outage } from '../errors/outage.ts'

const SHOW_AFTER_MS = 1000
/** A longer loss of the connection blocks the page: its content may be out of date. */
const BLOCK_AFTER_MS = 12_000

/** The screen that each connection problem shows once it lasts too long. */
const OUTAGE_OF: Readonly<Record<ConnectionProblem['type'], Outage>> = {
  offline: 'no_network',
  refused: 'no_network',
  draining: 'no_network',
  too_many: 'no_network',
  too_old: 'new_version',
}

/** Shown while the connection is lost and restored by itself. The call screen shows this on its own picture instead. */
export function ReconnectingPill() {
  const { connection } = useAppServices()
  const { phase, auth } = useSnapshot()
  const isMember = useAuthStatus() === 'member'
  const isCallScreen = useStore(callScreenShown)
  const isOffline = phase === 'offline' && !isCallScreen
  const hasCall = Boolean(auth?.active_session)
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (!isOffline) return
    const show = setTimeout(() => setShown(true), SHOW_AFTER_MS)
    // A visitor can read the landing page without a connection.
    const blockPage = () =>
      showOutage(OUTAGE_OF[connection.getSnapshot().problem?.type ?? 'offline'])
    // A running call goes on without the server: its card stays reachable.
    const block = isMember && !hasCall ? setTimeout(blockPage, BLOCK_AFTER_MS) : undefined
    return () => {
      clearTimeout(show)
      clearTimeout(block)
      setShown(false)
      clearOutage('no_network')
    }
  }, [connection, isOffline, isMember, hasCall])
  if (!isShown || !isMember) return null
  return (
    <p
      role="status"
      className="ui fixed inset-x-0 top-4 z-toast mx-auto flex min-h-11 w-fit items-center gap-2.5 rounded-full bg-surface-3 px-5 shadow-[inset_0_0_0_1px_var(--hair-2),var(--elevation-2)]"
    >
      <Spinner size={16} />
      {t('system.reconnecting')}
    </p>
  )
}
