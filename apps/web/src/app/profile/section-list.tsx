import { CaretRightIcon } from '@phosphor-icons/react/dist/csr/CaretRight'
import { SignOutIcon } from '@phosphor-icons/react/dist/csr/SignOut'
import { Link, useNavigate } from 'react-router'
import { Avatar, Button } from '@duet/ui'
import type { User } from '@duet/protocol'
import type { NavItem, ProfileSection } from '../../shared/feature.ts'
import { t } from '../../shared/i18n.ts'
import { PremiumUntil } from '../../shared/account/premium-until.tsx'
import { useAppServices } from '../../shared/app-services.tsx'
import { logOut } from '../../features/identity/log-out.ts'
import { getLabel, useNavItems } from '../layout/nav-items.ts'
import { PROFILE_TABS } from './load-sections.ts'

/** The sections as a list in groups, for a phone. */
export function SectionList({
  sections,
  user,
}: {
  sections: readonly ProfileSection[]
  user: User
}) {
  const services = useAppServices()
  const pages = useNavItems(user.role).filter(({ place }) => place === 'more')
  const isPage = ({ id }: ProfileSection) => pages.some(({ to }) => to === `/profile/#${id}`)
  const navigate = useNavigate()
  return (
    <div className="flex flex-col gap-6">
      <OwnCard user={user} />
      <MorePages pages={pages} user={user} />
      {PROFILE_TABS.map((tab) => {
        const shown = sections.filter((section) => section.tab === tab && !isPage(section))
        if (shown.length === 0) return null
        return (
          <section key={tab}>
            <h2 className="note mb-2 px-1 text-text-3">{t(`profile.tab.${tab}`)}</h2>
            <ul className="panel divide-y divide-hair overflow-hidden">
              {shown.map((section) => (
                <SectionRow key={section.id} section={section} />
              ))}
            </ul>
          </section>
        )
      })}
      <Button
        variant="secondary"
        size={54}
        icon={<SignOutIcon size={20} className="mirror" />}
        onClick={() => void logOut(services, navigate)}
      >
        {t('action.log_out')}
      </Button>
    </div>
  )
}

/** The pages that have no place in the tab bar of a phone. */
function MorePages({ pages, user }: { pages: readonly NavItem[]; user: User }) {
  if (pages.length === 0) return null
  return (
    <ul className="panel divide-y divide-hair overflow-hidden">
      {pages.map((page) => (
        <LinkRow key={page.to} {...page} title={getLabel(page, user.role)} />
      ))}
    </ul>
  )
}

function SectionRow({ section: { id, title, icon } }: { section: ProfileSection }) {
  return <LinkRow to={`/profile/#${id}`} title={title} icon={icon} />
}

type LinkRowProps = Pick<NavItem, 'to' | 'open' | 'icon'> & Pick<ProfileSection, 'title'>

function LinkRow({ to, open, title, icon: SectionIcon }: LinkRowProps) {
  const look =
    'ui flex min-h-14 w-full items-center gap-3.5 px-4 text-start text-text hover:bg-surface-2'
  const content = (
    <>
      <SectionIcon size={22} className="shrink-0 text-text-2" />
      <span className="min-w-0 flex-1">{t(title)}</span>
      <CaretRightIcon size={16} className="mirror shrink-0 text-text-3" />
    </>
  )
  return (
    <li>
      {open ? (
        <button type="button" aria-haspopup="dialog" className={look} onClick={open}>
          {content}
        </button>
      ) : (
        <Link to={to} className={look}>
          {content}
        </Link>
      )}
    </li>
  )
}

/** The picture and name of the user, and the last day of Premium. */
export function OwnCard({ user }: { user: User }) {
  return (
    <div className="panel flex flex-wrap items-center gap-x-3.5 gap-y-3 p-4">
      <Avatar name={user.nick ?? ''} decorative src={user.avatar} size={56} />
      <span className="min-w-0 flex-1">
        <span className="title block truncate">
          <bdi>{user.nick}</bdi>
        </span>
        <span className="note block truncate text-text-3" dir="ltr">
          {user.email}
        </span>
      </span>
      <span className="w-full empty:hidden">
        <PremiumUntil user={user} />
      </span>
    </div>
  )
}
