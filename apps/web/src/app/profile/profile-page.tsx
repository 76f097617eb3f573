import { ArrowLeftIcon } from '@phosphor-icons/react/dist/csr/ArrowLeft'
import { Suspense, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { cx, useMobile } from '@duet/ui'
import type { User } from '@duet/protocol'
import { PageFrame } from '../../shared/frame.tsx'
import type { ProfileSection, ProfileTab } from '../../shared/feature.ts'
import { useNoStrayDrops } from '../../shared/media/stray-drops.ts'
import { t } from '../../shared/i18n.ts'
import { useOwnUser, useSnapshot } from '../../shared/app-services.tsx'
import { useFocusKeeper } from '../../shared/navigation/focus-keeper.ts'
import { SectionFailed } from '../../shared/account/section-failed.tsx'
import { Boundary } from '../errors/boundary.tsx'
import { PROFILE_TABS, profileSections } from './load-sections.ts'
import { OwnCard, SectionList } from './section-list.tsx'
import { useLeaveGuard } from '../../shared/navigation/use-leave-guard.ts'
import {
  useKeptSections,
  useSectionFocus,
  useSectionInView,
  useUsedSection,
} from './shown-sections.ts'

/** `/profile/`. On a desktop: tabs with sections. On a phone: a list, and a page for each section. */
export function ProfilePage() {
  const user = useOwnUser()
  useNoStrayDrops()
  useLeaveGuard()
  return user ? <Profile user={user} /> : null
}

/**
 * Both layouts share one tree. A turned phone changes the layout, and input, choices and spare codes must survive the
 * turn. A section that only the other layout shows stays in the tree, hidden.
 */
function Profile({ user }: { user: User }) {
  const { hash } = useLocation()
  const isPhone = useMobile()
  const column = useRef<HTMLDivElement>(null)
  const sections = profileSections().filter(({ role }) => role === undefined || role === user.role)
  const usedId = useUsedSection(column)
  const addressed = sections.find(({ id }) => `#${id}` === hash)
  const used = sections.find(({ id }) => id === usedId)
  const chosen = isPhone ? (used ?? addressed) : addressed
  const tab = chosen?.tab ?? PROFILE_TABS.find((one) => `#${one}` === hash) ?? 'personal'
  const shown = sections.filter((one) => (isPhone ? one === chosen : one.tab === tab))
  const kept = useKeptSections(shown.map(({ id }) => id))
  useFocusKeeper(column)
  useSectionFocus(column, chosen?.id, isPhone)
  useSectionInView(used?.id, isPhone)
  return (
    <PageFrame title={isPhone && chosen ? <SectionTitle section={chosen} /> : t('profile.title')}>
      <div className={isPhone ? '' : 'grid grid-cols-[220px_minmax(0,640px)] items-start gap-9'}>
        {isPhone ? null : (
          <div className="sticky top-6 flex flex-col gap-4">
            <OwnCard user={user} />
            <TabList chosen={tab} />
          </div>
        )}
        <div ref={column} className="flex flex-col gap-9">
          {sections
            .filter((section) => kept.has(section.id))
            .map((section) => (
              <section
                key={section.id}
                id={section.id}
                hidden={!shown.includes(section)}
                className="scroll-mt-6"
              >
                {isPhone ? null : (
                  <h2 tabIndex={-1} className="title mb-3 outline-none">
                    {t(section.title)}
                  </h2>
                )}
                <SectionContent section={section} />
              </section>
            ))}
        </div>
        {isPhone && !chosen ? <SectionList sections={sections} user={user} /> : null}
      </div>
    </PageFrame>
  )
}

function TabList({ chosen }: { chosen: ProfileTab }) {
  return (
    <nav aria-label={t('profile.tabs')} className="flex flex-col gap-1">
      {PROFILE_TABS.map((tab) => (
        <Link
          key={tab}
          to={`/profile/#${tab}`}
          aria-current={tab === chosen ? 'page' : undefined}
          className={cx(
            'ui flex min-h-11 items-center rounded-row px-4',
            tab === chosen
              ? 'bg-surface-2 text-text shadow-card'
              : 'text-text-2 hover:bg-surface-1 hover:text-text',
          )}
        >
          {t(`profile.tab.${tab}`)}
        </Link>
      ))}
    </nav>
  )
}

/** The title of a section that fills the page, with a button back to the list. */
function SectionTitle({ section }: { section: ProfileSection }) {
  return (
    <span className="flex items-center gap-3">
      <Link
        to="/profile/"
        aria-label={t('profile.back')}
        className="hit -ms-1.5 inline-flex size-9 shrink-0 items-center justify-center rounded-full hover:bg-surface-2"
      >
        <ArrowLeftIcon size={22} className="mirror" />
      </Link>
      {t(section.title)}
    </span>
  )
}

/** A section that breaks or cannot be loaded leaves the others alone. It is tried again when the connection is back. */
function SectionContent({ section: { content: Content } }: { section: ProfileSection }) {
  const { phase } = useSnapshot()
  const [tries, setTries] = useState(0)
  return (
    <Boundary
      resetKey={`${phase} ${tries}`}
      fallback={
        <SectionFailed
          text={t('profile.section_broken')}
          retry={t('action.retry')}
          onRetry={() => setTries((before) => before + 1)}
        />
      }
    >
      <Suspense fallback={<div className="panel min-h-32" />}>
        <Content />
      </Suspense>
    </Boundary>
  )
}
