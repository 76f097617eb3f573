import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import { Link, useLocation } from 'react-router'
import { buttonLook } from '@duet/ui'
import { Wallet } from '../../features/ledger/index.ts'
import { DemoMenu } from '../../features/demo/index.ts'
import { t } from '../../shared/i18n.ts'
import { useAuthStatus } from '../../shared/auth-status.ts'

/** The end of every header: start button, demo menu, wallet. */
export function HeaderEnd() {
  const { pathname } = useLocation()
  const standing = useAuthStatus()
  return (
    <div className="flex items-center gap-2.5">
      {pathname === '/' ? null : (
        <Link to="/" className={`${buttonLook({ variant: 'secondary' })} max-md:hidden`}>
          <VideoCameraIcon size={20} weight="fill" className="mirror" />
          {t('nav.start')}
        </Link>
      )}
      <DemoMenu />
      {standing === 'member' ? <Wallet /> : null}
    </div>
  )
}
