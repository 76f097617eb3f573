import { ArrowLeftIcon } from '@phosphor-icons/react/dist/csr/ArrowLeft'
import { Suspense, useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { cx, useMobile } from '@duet/ui'
import { PageFrame } from '../../shared/frame.tsx'
import type { ProfileSection, ProfileTab } from '../../shared/feature.ts'
import { t } from '../../shared/i18n.ts'
import { useOwnUser } from '../../shared/app-services.tsx'
import { Boundary } from '../errors/boundary.tsx'
import { PROFILE_TABS, profileSections } from './load-sections.ts'
import { OwnCard, SectionList } from './section-list.tsx'
import { useLeaveGuard } from './use-leave-guard.ts'

/** `/profile/`: tabs with sections on a desktop; on a phone a list, and a page for each section. */
export function ProfilePage() {
  const user = useOwnUser()
  const { hash } = useLocation()
  const isPhone = useMobile()
  useLeaveGuard()
  if (!user) return null
  const sections = profileSections().filter(({ role }) => role === undefined || role === user.role)
  const chosen = sections.find(({ id }) => `#${id}` === hash)
  if (!isPhone) return <DesktopProfile sections={sections} chosen={chosen} hash={hash} />
  return chosen ? (
    <SectionPage key={chosen.id} section={chosen} />
  ) : (
    <PageFrame title={t('profile.title')}>
      <SectionList sections={sections} user={user} />
    </PageFrame>
  )
}

function DesktopProfile({
  sections,
  chosen,
  hash,
}: {
  sections: readonly ProfileSection[]
  chosen: ProfileSection | undefined
  hash: string
}) {
  const user = useOwnUser()!
  const tab = chosen?.tab ?? PROFILE_TABS.find((one) => `#${one}` === hash) ?? 'personal'
  const chosenId = chosen?.id
  useEffect(() => {
    if (chosenId === undefined) return
    document.getElementById(chosenId)?.scrollIntoView({ block: 'start' })
  }, [chosenId])
  return (
    <PageFrame title={t('profile.title')}>
      <div className="grid grid-cols-[220px_minmax(0,640px)] items-start gap-9">
        <div className="sticky top-6 flex flex-col gap-4">
          <OwnCard user={user} />
          <TabList chosen={tab} />
        </div>
        <div className="flex flex-col gap-9">
          {sections
            .filter((section) => section.tab === tab)
            .map((section) => (
              <section key={section.id} id={section.id} className="scroll-mt-6">
                <h2 className="title mb-3">{t(section.title)}</h2>
                <SectionContent section={section} />
              </section>
            ))}
        </div>
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

/** One section on a phone. Its heading gets the focus, as after every navigation. */
function SectionPage({ section }: { section: ProfileSection }) {
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => {
    scrollTo(0, 0)
    page.current?.querySelector('h1')?.focus({ preventScroll: true })
  }, [])
  return (
    <div ref={page}>
      <PageFrame
        title={
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
        }
      >
        <SectionContent section={section} />
      </PageFrame>
    </div>
  )
}

/** A section that breaks or cannot be loaded leaves the others alone. */
function SectionContent({ section: { content: Content, id } }: { section: ProfileSection }) {
  return (
    <Boundary
      resetKey={id}
      fallback={<p className="note text-text-2">{t('profile.section_broken')}</p>}
    >
      <Suspense fallback={<div className="panel min-h-32" />}>
        <Content />
      </Suspense>
    </Boundary>
  )
}
