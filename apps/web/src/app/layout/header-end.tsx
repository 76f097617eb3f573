import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import { Link, useLocation } from 'react-router'
import { buttonLook } from '@duet/ui'
import { Wallet } from '../../features/ledger/index.ts'
import { Bell } from '../../features/notices/index.ts'
import { DemoMenu } from '../../features/demo/index.ts'
import { t } from '../../shared/i18n.ts'
import { useAuthStatus } from '../../shared/account/auth-status.ts'
import { useSnapshot } from '../../shared/app-services.tsx'

/** The end of every header: start button, demo menu, wallet. */
export function HeaderEnd() {
  const { pathname } = useLocation()
  const standing = useAuthStatus()
  // The card of a running call has its own way back.
  const hasCall = useSnapshot().auth?.active_session !== undefined
  return (
    <div className="flex items-center gap-2.5">
      {pathname === '/' || hasCall ? null : (
        <Link to="/" className={`${buttonLook({ variant: 'secondary' })} max-md:hidden`}>
          <VideoCameraIcon size={20} weight="fill" className="mirror" />
          {t('action.start_chat')}
        </Link>
      )}
      <DemoMenu />
      {standing === 'member' ? (
        <>
          <Wallet />
          <Bell />
        </>
      ) : null}
    </div>
  )
}
