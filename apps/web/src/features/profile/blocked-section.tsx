import { ProhibitIcon } from '@phosphor-icons/react/dist/csr/Prohibit'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Avatar, Button, EmptyState, Skeleton, useSkeleton } from '@duet/ui'
import type { Answer } from '@duet/protocol'
import { intlLocale, t } from '../../shared/i18n.ts'
import { useAppServices } from '../../shared/app-services.tsx'
import { usePress } from '../../shared/controls/use-press.ts'
import { SectionFailed } from '../../shared/account/section-failed.tsx'

const BLOCKED_KEY = ['blocked'] as const

/** The people that the user has blocked, with the way back. */
export function BlockedSection() {
  const { connection } = useAppServices()
  const query = useInfiniteQuery({
    queryKey: BLOCKED_KEY,
    queryFn: ({ pageParam }) => connection.http.get('blocked', { page: pageParam }),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.next ? last.page + 1 : undefined),
  })
  const isWaiting = useSkeleton(query.isPending)
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  if (query.isError && items.length === 0)
    return (
      <SectionFailed
        text={t('profile.blocked.failed')}
        retry={t('action.retry')}
        onRetry={() => void query.refetch()}
      />
    )
  if (query.isPending) return <div className="panel min-h-20">{isWaiting ? <Waiting /> : null}</div>
  if (items.length === 0)
    return (
      <EmptyState
        className="panel"
        icon={<ProhibitIcon size={40} weight="duotone" />}
        title={t('profile.blocked.none')}
        text={t('profile.blocked.none_text')}
      />
    )
  return (
    <div className="panel">
      <ul className="divide-y divide-hair px-5">
        {items.map((person) => (
          <BlockedRow key={person.id} person={person} />
        ))}
      </ul>
      {query.hasNextPage ? (
        <div className="flex justify-center border-t border-hair p-3">
          <Button
            variant="quiet"
            busy={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t('action.show_more')}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

function BlockedRow({ person }: { person: Answer<'GET blocked'>['items'][number] }) {
  const { connection } = useAppServices()
  const queries = useQueryClient()
  const since = new Date(person.create_time).toLocaleDateString(intlLocale(), {
    dateStyle: 'medium',
  })
  const { busy, press: unblock } = usePress(async () => {
    await connection.act('UNBLOCK_USER', { user_id: person.id })
    await queries.invalidateQueries({ queryKey: BLOCKED_KEY })
  })
  return (
    <li className="flex min-h-16 items-center gap-3.5 py-2.5">
      <Avatar name="" src={person.avatar} size={44} />
      <span className="min-w-0 flex-1">
        <bdi className="ui block truncate text-text">
          {person.nick || t('profile.blocked.gone')}
        </bdi>
        <span className="note block text-text-3">{t('profile.blocked.since', { since })}</span>
      </span>
      <Button variant="outline" size={36} busy={busy} onClick={() => void unblock()}>
        {t('profile.blocked.unblock')}
      </Button>
    </li>
  )
}

function Waiting() {
  return (
    <div className="flex items-center gap-3.5 p-5">
      <Skeleton className="size-11 rounded-full" />
      <Skeleton className="h-4 w-40" />
    </div>
  )
}
