import { ClockCounterClockwiseIcon } from '@phosphor-icons/react/dist/csr/ClockCounterClockwise'
import { TrashIcon } from '@phosphor-icons/react/dist/csr/Trash'
import type { PastCall } from '@duet/protocol'
import { Button, EmptyState, Skeleton } from '@duet/ui'
import { PagedList } from '../../shared/controls/paged-list.tsx'
import { useNow } from '../../shared/controls/use-time.ts'
import { PageFrame } from '../../shared/frame.tsx'
import { StartChatLink } from '../../shared/controls/start-chat-link.tsx'
import { t } from '../../shared/i18n.ts'
import { groupByDay } from './group-by-day.ts'
import { HistoryRow } from './history-row.tsx'
import { useClearHistory, useHistory } from './use-history.ts'

const MINUTE_MS = 60_000

/** `/history/`: the past calls by day, each with its receipt and the ways to the other user. */
export function HistoryPage() {
  const pages = useHistory()
  return (
    <PageFrame
      title={t('nav.history')}
      controls={pages.items.length > 0 ? <ClearButton /> : undefined}
    >
      <PagedList
        pages={pages}
        failed={t('history.failed')}
        skeleton={<LoadingRows />}
        empty={<NoCalls />}
      >
        {(items) => <Days items={items} />}
      </PagedList>
    </PageFrame>
  )
}

function ClearButton() {
  const { busy, clear } = useClearHistory()
  return (
    <Button variant="quiet" busy={busy} icon={<TrashIcon size={20} />} onClick={clear}>
      {t('history.clear')}
    </Button>
  )
}

function Days({ items }: { items: readonly PastCall[] }) {
  const nowMs = useNow(MINUTE_MS, true)
  return (
    <div className="flex w-full max-w-[880px] flex-col gap-7">
      {groupByDay(items, nowMs).map((day) => (
        <section key={day.title} aria-label={day.title}>
          <h2 className="note mb-2 px-1 text-text-3">{day.title}</h2>
          <ul className="panel divide-y divide-hair">
            {day.items.map((item) => (
              <HistoryRow key={item.id} item={item} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function NoCalls() {
  return (
    <EmptyState
      icon={<ClockCounterClockwiseIcon size={40} weight="duotone" />}
      title={t('history.empty')}
      text={t('history.empty_text')}
      action={<StartChatLink />}
    />
  )
}

function LoadingRows() {
  return (
    <div className="panel flex max-w-[880px] flex-col">
      {['first', 'second', 'third'].map((key) => (
        <span key={key} className="flex h-[76px] items-center gap-3 px-4">
          <Skeleton className="size-12 rounded-full!" />
          <Skeleton className="h-4 w-2/5" />
        </span>
      ))}
    </div>
  )
}
