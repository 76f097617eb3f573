import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import { Link, useLocation, NavLink } from 'react-router'
import { buttonLook, cx } from '@duet/ui'
import { Wallet } from '../../features/ledger/wallet.tsx'
import { Bell } from '../../features/notices/bell.tsx'
import { DemoMenu } from '../../features/demo/demo-menu.tsx'
import { t } from '../../shared/i18n.ts'
import { useAuthStatus } from '../../shared/account/auth-status.ts'
import { useSnapshot, useOwnUser } from '../../shared/app-services.tsx'
import { getLabel, useNavItems } from './nav-items.ts'
import { NavIcon } from './nav-icon.tsx'

/** The frame around the pages of members. Visitors do not load this frame. */
export { Rail } from './rail.tsx'

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

/** The navigation on a phone. */
export function TabBar() {
  const role = useOwnUser()?.role ?? null
  const items = useNavItems(role).filter(({ place }) => place !== 'more')
  return (
    <nav
      aria-label={t('nav.label')}
      className="fixed inset-x-0 bottom-0 z-nav flex border-t border-hair bg-bg pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {items.map((item) => {
        const { to } = item
        return (
          <NavLink
            key={item.label}
            to={to}
            end={to === '/'}
            className={({ isActive }) =>
              cx(
                'micro flex min-h-14 flex-1 flex-col items-center justify-center gap-1',
                isActive ? 'text-text' : 'text-text-3',
              )
            }
          >
            {({ isActive }) => (
              <>
                <NavIcon item={item} isActive={isActive} />
                {t(getLabel(item, role))}
              </>
            )}
          </NavLink>
        )
      })}
    </nav>
  )
}
