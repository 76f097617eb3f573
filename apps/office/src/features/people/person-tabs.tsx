import { useEffect, useRef } from 'react'
import { NavLink, useLocation } from 'react-router'
import type { StaffRole } from '@duet/protocol/kernel/who.ts'
import { cx } from '@duet/ui/class-names.ts'
import { useStaff } from '../../shared/session.tsx'
import { msg, t, type OfficeText } from '../../shared/texts.ts'

interface TabShape {
  readonly path: string
  readonly title: OfficeText
  readonly roles: readonly StaffRole[]
}

const MODERATORS: readonly StaffRole[] = ['moderator', 'manager', 'owner']
const TABS: readonly TabShape[] = [
  { path: '', title: msg('office.person.overview'), roles: [...MODERATORS, 'finance'] },
  { path: 'money', title: msg('office.person.money'), roles: ['finance', 'owner'] },
  { path: 'calls', title: msg('office.person.calls'), roles: MODERATORS },
  { path: 'pictures', title: msg('office.person.pictures'), roles: MODERATORS },
  { path: 'dialogs', title: msg('office.person.dialogs'), roles: MODERATORS },
  { path: 'sanctions', title: msg('office.nav.sanctions'), roles: MODERATORS },
  { path: 'devices', title: msg('office.devices.title'), roles: MODERATORS },
  { path: 'links', title: msg('office.person.links'), roles: [...MODERATORS, 'finance'] },
  { path: 'notes', title: msg('office.person.notes'), roles: [...MODERATORS, 'finance'] },
]

/** The parts of the page of a person. On a phone the strip is wider than the screen and shows the open one. */
export function PersonTabs({ id }: { id: number }) {
  const { role } = useStaff()
  const { pathname } = useLocation()
  const strip = useRef<HTMLElement>(null)
  useEffect(() => {
    const open = strip.current?.querySelector('[aria-current=page]')
    open?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [pathname])
  const tabs = TABS.filter(({ roles }) => roles.includes(role))
  const base = `/users/${id}`
  return (
    <nav
      ref={strip}
      aria-label={t('office.person.tabs')}
      className="flex shrink-0 gap-1 overflow-x-auto border-b border-hair px-4"
    >
      {tabs.map(({ path, title }) => (
        <NavLink
          key={path}
          end
          to={path === '' ? base : `${base}/${path}`}
          className={({ isActive }) =>
            cx(
              'whitespace-nowrap px-3 py-[13px] font-medium md:py-2.5',
              isActive ? 'shadow-[inset_0_-2px_0_var(--ember)]' : 'text-text-2 hover:text-text',
            )
          }
        >
          {t(title)}
        </NavLink>
      ))}
    </nav>
  )
}
