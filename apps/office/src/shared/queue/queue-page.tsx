import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { Chip } from '@duet/ui/controls/chip.tsx'
import { EmptyState } from '@duet/ui/feedback/empty-state.tsx'
import { cx } from '@duet/ui/class-names.ts'
import { errorSentence, isRefused } from '../api.ts'
import { useKeys } from '../keys/use-keys.ts'
import { PageHeader } from '../page-header.tsx'
import { useStaff } from '../session.tsx'
import { useFilters } from '../use-filters.ts'
import { t } from '../texts.ts'
import { QueueKey, usePending } from './pending-decision.tsx'
import { useOpenCase } from './open-case.ts'
import { MedianAnswer } from './median-answer.tsx'
import { QueueRow } from './queue-row.tsx'
import type { QueuePart, QueueShape, QueueStretch } from './queue-shape.ts'

const REFRESH_MS = 10_000
const FILTER = 'show'

/** A queue beside the case that is open. Opening a case claims it; the next one opens after a decision. */
export function QueuePage<Item>({ shape }: { shape: QueueShape<Item> }) {
  return (
    <QueueKey value={shape.queue}>
      <Queue shape={shape} />
    </QueueKey>
  )
}

function Queue<Item>({ shape }: { shape: QueueShape<Item> }) {
  const { queue, idOf } = shape
  const { role } = useStaff()
  const [filter, setFilter] = useFilter(shape)
  const fetched = useInfiniteQuery({
    queryKey: ['queue', queue, filter],
    initialPageParam: { page: 1, filter } as QueueStretch<Item>,
    queryFn: ({ pageParam }) => shape.list(pageParam),
    getNextPageParam: ({ items, next }, _, { page }) =>
      next ? { page: page + 1, last: items.at(-1), filter } : undefined,
    refetchInterval: REFRESH_MS,
  })
  const pages = fetched.data?.pages ?? []
  const { isHidden } = usePending()
  const listed = pages.flatMap((page) => page.items)
  const items = listed.filter((item) => !isHidden(idOf(item)))
  const isBarred = (item: Item) => role === 'moderator' && shape.isForManagers?.(item) === true
  const openable = items.filter((item) => !isBarred(item))
  const openCase = useOpenCase(shape, openable, fetched.isSuccess)
  const { selected, item, error, isMissing, select, open, takeOver, close, decided } = openCase
  const move = (by: number) => {
    const at = openable.findIndex((item) => idOf(item) === selected)
    const next = openable[Math.max(0, Math.min(openable.length - 1, at + by))]
    if (!next) return
    select(idOf(next))
    document.querySelector<HTMLElement>(`[data-case="${idOf(next)}"]`)?.focus()
  }
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => void (selected && open(selected)),
    Escape: close,
  })
  const opened = item && idOf(item)
  const view = useRef<HTMLElement>(null)
  // The keys of the case are its own, not those of the row that opened it.
  useEffect(() => {
    if (opened !== undefined) view.current?.focus()
  }, [opened])
  const Detail = shape.detail
  return (
    <>
      <PageHeader title={shape.title}>
        <span className="rounded-tag bg-surface-2 px-2 py-0.5 text-text-2 tabular-nums">
          {countText(items.length, pages.at(-1), listed.length - items.length)}
        </span>
        <MedianAnswer queue={queue} />
      </PageHeader>
      {error !== null && <ClaimError error={error} onTakeOver={() => void takeOver()} />}
      {isMissing && <Banner tone="warn">{t('office.queue.not_listed')}</Banner>}
      <div className="flex min-h-0 flex-1">
        <div
          className={cx(
            'w-full shrink-0 overflow-y-auto border-e border-hair md:block md:w-[288px]',
            item && 'hidden',
          )}
        >
          {shape.filters && (
            <div
              role="group"
              aria-label={t('office.queue.filter')}
              className="flex gap-2 px-4 py-2"
            >
              {[{ value: undefined, label: t('office.queue.open') }, ...shape.filters].map(
                ({ value, label }) => (
                  <Chip key={label} selected={value === filter} onClick={() => setFilter(value)}>
                    {label}
                  </Chip>
                ),
              )}
            </div>
          )}
          {fetched.error && <Banner tone="danger">{errorSentence(fetched.error)}</Banner>}
          {fetched.isPending && (
            <p role="status" className="p-4 text-text-2">
              {t('office.loading')}
            </p>
          )}
          {fetched.isSuccess && items.length === 0 && (
            <EmptyState title={t('office.queue.empty')} text={t('office.queue.empty_text')} />
          )}
          <ul>
            {items.map((one) => (
              <QueueRow
                key={idOf(one)}
                shape={shape}
                item={one}
                isSelected={idOf(one) === selected}
                onPress={isBarred(one) ? undefined : () => open(idOf(one))}
              />
            ))}
          </ul>
          {fetched.hasNextPage && (
            <Button
              className="m-2"
              size={36}
              variant="quiet"
              busy={fetched.isFetchingNextPage}
              onClick={() => void fetched.fetchNextPage()}
            >
              {t('action.show_more')}
            </Button>
          )}
        </div>
        <section
          ref={view}
          tabIndex={-1}
          aria-live="polite"
          className={cx('min-w-0 flex-1 outline-none', !item && 'hidden md:block')}
        >
          {item ? (
            <div className="flex h-full min-h-0 flex-col">
              <Button
                className="m-2 self-start md:hidden"
                size={36}
                variant="quiet"
                onClick={close}
              >
                {t('office.queue.back')}
              </Button>
              <Detail key={opened} item={item} onDecided={() => void decided(idOf(item))} />
            </div>
          ) : (
            <p className="grid h-full place-items-center p-6 text-text-2">
              {t('office.queue.choose')}
            </p>
          )}
        </section>
      </div>
    </>
  )
}

/** The part of the queue that the address names. */
function useFilter<Item>({ filters = [] }: QueueShape<Item>) {
  const { value, filter } = useFilters()
  const chosen = filters.find((one) => one.value === value(FILTER))?.value
  return [chosen, (wanted: string | undefined) => filter(FILTER, wanted ?? '')] as const
}

/** How many of how many are shown. Those that are decided here are neither. */
function countText(count: number, part: QueuePart<unknown> | undefined, decided: number): string {
  const total = (part?.total ?? count) - decided
  if (total > count) return t('office.queue.shown', { count, total })
  return t(part?.next ? 'office.queue.waiting_more' : 'office.queue.waiting', { count })
}

/** Why a case did not open. Managers and owners may take one that another person has. */
function ClaimError({ error, onTakeOver }: { error: unknown; onTakeOver: () => void }) {
  const { role } = useStaff()
  return (
    <Banner
      tone="danger"
      action={
        (role === 'manager' || role === 'owner') &&
        isRefused(error, 'claimed') && (
          <Button size={36} variant="secondary" onClick={onTakeOver}>
            {t('office.queue.take_over')}
          </Button>
        )
      }
    >
      {errorSentence(error)}
    </Banner>
  )
}
