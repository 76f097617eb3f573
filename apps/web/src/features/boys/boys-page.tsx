import { UsersThreeIcon } from '@phosphor-icons/react/dist/csr/UsersThree'
import { useState } from 'react'
import type { Boy, Query } from '@duet/protocol'
import { EmptyState, Segment } from '@duet/ui'
import { PagedList } from '../../shared/controls/paged-list.tsx'
import { usePages, type ListPages } from '../../shared/controls/use-pages.ts'
import { useNow } from '../../shared/controls/use-time.ts'
import { PageFrame } from '../../shared/frame.tsx'
import { StartChatLink } from '../../shared/controls/start-chat-link.tsx'
import { t } from '../../shared/i18n.ts'
import { storePeople } from '../../shared/people/people.ts'
import { LoadingCards, PersonGrid } from '../../shared/people/card/person-grid.tsx'
import { useStatuses } from '../../shared/people/use-statuses.ts'
import { timeAgo } from '../../shared/texts/time-ago.ts'

const MINUTE_MS = 60_000
const FILTERS = ['all', 'online', 'premium', 'talked'] as const
type Filter = (typeof FILTERS)[number]
const EMPTY_TITLES = {
  all: 'boys.empty',
  online: 'boys.empty',
  premium: 'boys.empty_premium',
  talked: 'boys.empty_talked',
} as const

/** `/girls/` as a girl sees it: the guys who are online or talked with her, premium first. */
export function BoysPage() {
  const [filter, setFilter] = useState<Filter>('all')
  return (
    <PageFrame title={t('boys.title')}>
      <div className="flex flex-col gap-5">
        <Segment
          className="self-start"
          label={t('boys.filter')}
          value={filter}
          onChange={setFilter}
          options={FILTERS.map((value) => ({ value, label: t(`boys.filter.${value}`) }))}
        />
        <BoyGrid key={filter} filter={filter} />
      </div>
    </PageFrame>
  )
}

function useBoys(filter: Filter): ListPages<Boy> {
  const query: Pick<Query<'GET boys'>, 'filter'> = filter === 'all' ? {} : { filter }
  const pages = usePages('boys', {
    query,
    onPage: ({ items }) => storePeople(items),
    refresh_ms: MINUTE_MS,
  })
  useStatuses(pages.items.map(({ id }) => id))
  return pages
}

function BoyGrid({ filter }: { filter: Filter }) {
  const nowMs = useNow(MINUTE_MS)
  return (
    <PagedList
      pages={useBoys(filter)}
      failed={t('boys.failed')}
      skeleton={<LoadingCards />}
      empty={
        <EmptyState
          icon={<UsersThreeIcon size={40} weight="duotone" />}
          title={t(EMPTY_TITLES[filter])}
          text={t('boys.empty_text')}
          action={<StartChatLink />}
        />
      }
    >
      {(boys) => (
        <PersonGrid
          people={boys.map((boy) => ({ ...boy, can_call: boy.can_invite }))}
          note={({ last_talk }) =>
            last_talk && t('boys.last_talk', { ago: timeAgo(last_talk, nowMs) })
          }
          hasAllActions
        />
      )}
    </PagedList>
  )
}
