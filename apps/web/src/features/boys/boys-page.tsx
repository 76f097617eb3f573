import { UsersThreeIcon } from '@phosphor-icons/react/dist/csr/UsersThree'
import { useState } from 'react'
import type { Boy, Query } from '@duet/protocol'
import { EmptyState, Segment } from '@duet/ui'
import { PagedList } from '../../shared/controls/paged-list.tsx'
import { usePages, type ListPages } from '../../shared/controls/use-pages.ts'
import { PageFrame } from '../../shared/frame.tsx'
import { StartChatLink } from '../../shared/controls/start-chat-link.tsx'
import { t } from '../../shared/i18n.ts'
import { storePeople } from '../../shared/people/people.ts'
import { CARD_GRID, LoadingCards } from '../../shared/people/card/portrait-card.tsx'
import { useStatuses } from '../../shared/people/use-statuses.ts'
import { BoyCard } from './boy-card.tsx'

/** Guys come and go: the list is fetched again after this time. */
const REFRESH_MS = 60_000
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
    refresh_ms: REFRESH_MS,
  })
  useStatuses(pages.items.map(({ id }) => id))
  return pages
}

function BoyGrid({ filter }: { filter: Filter }) {
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
        <ul className={CARD_GRID}>
          {boys.map((boy) => (
            <BoyCard key={boy.id} boy={boy} />
          ))}
        </ul>
      )}
    </PagedList>
  )
}
