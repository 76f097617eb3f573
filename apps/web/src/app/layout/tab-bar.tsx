import { NavLink } from 'react-router'
import { cx } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { useOwnUser } from '../../shared/app-services.tsx'
import { getLabel, useNavItems } from './nav-items.ts'
import { NavIcon } from './nav-icon.tsx'

/** The navigation on a phone. */
export function TabBar() {
  const role = useOwnUser()?.role ?? null
  return (
    <nav
      aria-label={t('nav.label')}
      className="fixed inset-x-0 bottom-0 z-nav flex border-t border-hair bg-bg pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {useNavItems(role).map((item) => {
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
