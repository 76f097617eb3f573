import { useEffect, useState } from 'react'
import { Spinner } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { useAuthStatus } from '../../shared/auth-status.ts'
import { useSnapshot } from '../../shared/app-services.tsx'
import { clearOutage, showOutage } from '../errors/outage.ts'

const SHOW_AFTER_MS = 1000
/** A line that is gone for longer blocks the page: nothing on it can be trusted any more. */
const BLOCK_AFTER_MS = 12_000

/** The line is gone and comes back by itself. A call says it on its own picture. */
export function ReconnectingPill() {
  const { phase, auth } = useSnapshot()
  const isMember = useAuthStatus() === 'member'
  const isAway = phase === 'offline' && !auth?.active_session
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (!isAway) return
    const show = setTimeout(() => setShown(true), SHOW_AFTER_MS)
    // A visitor reads the landing page without a line just as well.
    const block = isMember ? setTimeout(() => showOutage('no_network'), BLOCK_AFTER_MS) : undefined
    return () => {
      clearTimeout(show)
      clearTimeout(block)
      setShown(false)
      clearOutage('no_network')
    }
  }, [isAway, isMember])
  if (!isShown || !isMember) return null
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
