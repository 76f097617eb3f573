import { CalendarHeartIcon } from '@phosphor-icons/react/dist/csr/CalendarHeart'
import { EmptyState, Skeleton } from '@duet/ui'
import { useOwnUser } from '../../shared/app-services.tsx'
import { PagedList } from '../../shared/controls/paged-list.tsx'
import { usePages } from '../../shared/controls/use-pages.ts'
import { t } from '../../shared/i18n.ts'
import { storePeople } from '../../shared/people/people.ts'
import { DateCard } from './date-card.tsx'
import { followServerClock } from './server-clock.ts'

/** The addresses of pictures are valid for five minutes. */
const REFRESH_MS = 4 * 60_000

/** The own dates: the open ones first, each as a card. */
export function DateList() {
  const pages = usePages('dates', {
    onPage({ items, now }) {
      followServerClock(now)
      storePeople(items.flatMap((one) => one.user_interlocutor ?? []))
    },
    refresh_ms: REFRESH_MS,
  })
  const role = useOwnUser()?.role
  return (
    <section aria-label={t('dates.yours')} className="flex flex-col gap-3">
      <PagedList
        pages={pages}
        small
        failed={t('dates.failed')}
        skeleton={<Skeleton className="h-[116px] rounded-card!" />}
        empty={
          <EmptyState
            icon={<CalendarHeartIcon size={40} weight="duotone" />}
            title={t('dates.empty')}
            text={t(role === 'girl' ? 'dates.empty_girl' : 'dates.empty_guy')}
          />
        }
      >
        {(items) => (
          <ul className="grid gap-3 lg:grid-cols-2">
            {items.map((date) => (
              <DateCard key={date.id} date={date} />
            ))}
          </ul>
        )}
      </PagedList>
    </section>
  )
}
