import {
  CircleHalfIcon,
  KeyboardIcon,
  ListIcon,
  MagnifyingGlassIcon,
  SignOutIcon,
} from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { NavLink, useLocation } from 'react-router'
import { Mark } from '@duet/ui/brand/mark.tsx'
import { IconButton } from '@duet/ui/controls/icon-button.tsx'
import { cx } from '@duet/ui/class-names.ts'
import { api } from '../shared/api.ts'
import { KeyList } from '../shared/keys/key-list.tsx'
import { useKeys } from '../shared/keys/use-keys.ts'
import { PendingBar } from '../shared/queue/pending-decision.tsx'
import { useSignOut, useStaff } from '../shared/session.tsx'
import { msg, t } from '../shared/texts.ts'
import { switchTheme } from '../shared/theme.ts'
import { timeZone } from '../shared/times.ts'
import { BreakHint } from './break-hint.tsx'
import { lazyPage } from './lazy-page.tsx'
import { groups } from './pages.ts'

const COUNTS_MS = 10_000
const ROLES = {
  moderator: msg('office.role.moderator'),
  manager: msg('office.role.manager'),
  finance: msg('office.role.finance'),
  owner: msg('office.role.owner'),
}

const loadGoTo = () => import('./go-to/go-to.tsx')
const GoTo = lazyPage(loadGoTo, (from) => from.GoTo)

/** The navigation beside the pages; on a phone it is above them. */
export function Frame({ children }: { children: ReactNode }) {
  const [isListOpen, setListOpen] = useState(false)
  const [isNavOpen, setNavOpen] = useState(false)
  const [isGoing, setGoing] = useState(false)
  const main = useFocusOnPage()
  const { pathname, key } = useLocation()
  useEffect(() => setNavOpen(false), [key])
  useKeys({ '?': () => setListOpen(true), 'Control+k': () => setGoing(true) })
  // The search is loaded before its key is pressed: no letter of its words may reach the page below.
  useEffect(() => void loadGoTo().catch(() => undefined), [])
  return (
    <div className="flex h-dvh flex-col md:flex-row">
      <header className="flex h-14 shrink-0 items-center justify-between border-b border-hair px-4 md:hidden">
        <Name />
        <IconButton
          className="ms-auto"
          variant="quiet"
          label={t('office.go.title')}
          icon={<MagnifyingGlassIcon size={20} />}
          onClick={() => setGoing(true)}
        />
        <IconButton
          variant="quiet"
          label={t('office.nav.open')}
          icon={<ListIcon size={20} />}
          aria-expanded={isNavOpen}
          onClick={() => setNavOpen(!isNavOpen)}
        />
      </header>
      <div
        className={cx(
          'min-h-0 w-full flex-col border-hair md:flex md:w-[204px] md:flex-none md:border-e',
          isNavOpen ? 'flex flex-1' : 'hidden',
        )}
      >
        <header className="hidden h-14 items-center px-4 md:flex">
          <Name />
          <IconButton
            className="ms-auto"
            size={36}
            variant="quiet"
            label={t('office.go.title')}
            icon={<MagnifyingGlassIcon size={18} />}
            onClick={() => setGoing(true)}
          />
        </header>
        <Navigation onLeave={() => setNavOpen(false)} />
        <Person onLeave={() => setNavOpen(false)} onKeys={() => setListOpen(true)} />
      </div>
      <div
        className={cx('flex min-h-0 min-w-0 flex-col md:flex-1', isNavOpen ? 'shrink-0' : 'flex-1')}
      >
        <main
          key={pathname.split('/')[1]}
          ref={main}
          tabIndex={-1}
          className={cx(
            'min-h-0 min-w-0 flex-1 flex-col outline-none md:flex',
            isNavOpen ? 'hidden' : 'flex',
          )}
        >
          <BreakHint />
          {children}
        </main>
        <PendingBar />
      </div>
      {isGoing && (
        <Suspense>
          <GoTo onClose={() => setGoing(false)} onKeys={() => setListOpen(true)} />
        </Suspense>
      )}
      <KeyList open={isListOpen} onClose={() => setListOpen(false)} />
    </div>
  )
}

/** A page that was opened by a link gets the focus, so that its keys are not those of the link. */
function useFocusOnPage() {
  const main = useRef<HTMLElement>(null)
  const page = useLocation().pathname.split('/')[1]
  const shown = useRef(page)
  useEffect(() => {
    if (shown.current !== page) main.current?.focus()
    shown.current = page
  }, [page])
  return main
}

function Name() {
  return (
    <span className="flex items-center gap-2.5 font-semibold">
      <Mark size={24} /> {t('office.name')}
    </span>
  )
}

function Navigation({ onLeave }: { onLeave: () => void }) {
  const { role } = useStaff()
  const { data } = useQuery({
    queryKey: ['queues'],
    queryFn: () => api.get('v2/manager/queues'),
    refetchInterval: COUNTS_MS,
  })
  const { pathname } = useLocation()
  const view = useRef<HTMLElement>(null)
  // The list can be longer than the screen. Browsers may answer a scroll with a promise, which an effect must not return.
  useEffect(() => {
    view.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
  }, [pathname])
  const counts = new Map(data?.queues.map(({ queue, waiting }) => [queue, waiting]))
  return (
    <nav
      ref={view}
      aria-label={t('office.nav.label')}
      className="min-h-0 flex-1 overflow-y-auto px-2 pb-4"
    >
      {groups.map(({ title, pages }) => {
        const shown = pages.filter(({ roles }) => roles.includes(role))
        if (shown.length === 0) return null
        return (
          <section key={title} className="pt-3">
            <h2 className="px-2 pb-1 text-text-3">{t(title)}</h2>
            {shown.map(({ path, title: name, icon: Icon, queue }) => (
              <NavLink
                key={path}
                to={`/${path}`}
                onClick={onLeave}
                className={({ isActive }) =>
                  cx(
                    'flex h-11 items-center gap-3 rounded-control px-2 font-medium md:h-9',
                    isActive ? 'bg-surface-3 text-text' : 'text-text-2 hover:bg-surface-2',
                  )
                }
              >
                <Icon size={18} />
                <span className="flex-1">{t(name)}</span>
                {queue && (counts.get(queue) ?? 0) > 0 && (
                  <span className="tabular-nums">{counts.get(queue)}</span>
                )}
              </NavLink>
            ))}
          </section>
        )
      })}
    </nav>
  )
}

function Person({ onLeave, onKeys }: { onLeave: () => void; onKeys: () => void }) {
  const { email, role } = useStaff()
  const signOut = useSignOut()
  return (
    <section
      aria-label={t('office.nav.own')}
      className="flex flex-wrap items-center gap-1 border-t border-hair p-3"
    >
      <div className="w-full">
        <div className="truncate font-medium" title={email}>
          {email}
        </div>
        <div className="text-text-2">{t(ROLES[role])}</div>
        <NavLink
          to="/devices"
          className="hit inline-block max-w-full truncate text-text-2 underline"
          onClick={onLeave}
        >
          {t('office.zone.shown', { zone: timeZone })}
        </NavLink>
      </div>
      <IconButton
        size={36}
        variant="quiet"
        label={t('office.theme')}
        icon={<CircleHalfIcon size={18} />}
        onClick={switchTheme}
      />
      <IconButton
        size={36}
        variant="quiet"
        label={t('office.keys.title')}
        icon={<KeyboardIcon size={18} />}
        onClick={onKeys}
      />
      <IconButton
        size={36}
        variant="quiet"
        label={t('office.sign_out')}
        icon={<SignOutIcon size={18} />}
        onClick={() => signOut.mutate()}
      />
    </section>
  )
}
