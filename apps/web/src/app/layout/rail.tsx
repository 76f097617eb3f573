import { NavLink } from 'react-router'
import { Avatar, Mark, cx } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { useOwnUser } from '../../shared/app-services.tsx'
import { OwnMenu } from './own-menu.tsx'
import type { NavItem } from '../../shared/feature.ts'
import { getLabel, useNavItems } from './nav-items.ts'
import { NavIcon } from './nav-icon.tsx'

/** The navigation on a desktop. */
export function Rail() {
  const user = useOwnUser()
  const items = useNavItems(user?.role ?? null)
  return (
    <nav
      aria-label={t('nav.label')}
      className="fixed inset-y-0 start-0 z-nav hidden w-[84px] flex-col items-center gap-2 border-e border-hair bg-bg py-5 md:flex"
    >
      <NavLink to="/" aria-label={t('app.name')} className="mb-4 rounded-full p-1.5">
        <Mark size={34} />
      </NavLink>
      {items
        .filter(({ place }) => place !== 'tab')
        .map((item) => (
          <RailLink key={item.label} item={item} label={t(getLabel(item, user?.role ?? null))} />
        ))}
      <span className="flex-1" />
      <OwnMenu
        side="inline-end"
        trigger={
          <button type="button" aria-label={t('nav.own_menu')} className="hit rounded-full">
            <Avatar name={user?.nick ?? ''} src={user?.avatar ?? null} size={40} />
          </button>
        }
      />
    </nav>
  )
}

const getLook = ({ isActive = false }) =>
  cx(
    'micro flex h-[60px] w-[68px] flex-col items-center justify-center gap-1.5 rounded-bubble',
    isActive
      ? 'bg-surface-2 text-text shadow-card'
      : 'text-text-2 hover:bg-surface-1 hover:text-text',
  )

function RailLink({ item, label }: { item: NavItem; label: string }) {
  if (item.open)
    return (
      <button type="button" aria-haspopup="dialog" className={getLook({})} onClick={item.open}>
        <NavIcon item={item} isActive={false} />
        {label}
      </button>
    )
  return (
    <NavLink to={item.to} end={item.to === '/'} className={getLook}>
      {({ isActive }) => (
        <>
          <NavIcon item={item} isActive={isActive} />
          {label}
        </>
      )}
    </NavLink>
  )
}
