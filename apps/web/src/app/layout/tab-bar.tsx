import { NavLink } from 'react-router'
import { cx } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { useOwnUser } from '../../shared/app-services.tsx'
import { tabItems } from './nav-items.ts'

/** The way from place to place on a phone. */
export function TabBar() {
  const role = useOwnUser()?.role ?? null
  return (
    <nav
      aria-label={t('nav.label')}
      className="fixed inset-x-0 bottom-0 z-nav flex border-t border-hair bg-bg pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {tabItems(role).map(({ to, label, icon: Sign }) => (
        <NavLink
          key={label}
          to={to}
          end
          className={({ isActive }) =>
            cx(
              'micro flex min-h-14 flex-1 flex-col items-center justify-center gap-1',
              isActive ? 'text-text' : 'text-text-3',
            )
          }
        >
          {({ isActive }) => (
            <>
              <Sign
                size={24}
                weight={isActive ? 'fill' : 'regular'}
                className={isActive ? 'text-ember-hi' : undefined}
              />
              {t(label)}
            </>
          )}
        </NavLink>
      ))}
    </nav>
  )
}
