import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { EmptyState } from '@duet/ui/feedback/empty-state.tsx'
import { cx } from '@duet/ui/class-names.ts'
import { errorSentence, isRefused } from '../api.ts'
import { useKeys } from '../keys/use-keys.ts'
import { PageHeader } from '../page-header.tsx'
import { useStaff } from '../session.tsx'
import { t } from '../texts.ts'
import { QueueKey, usePending } from './pending-decision.tsx'
import { useOpenCase } from './open-case.ts'
import type { QueueShape } from './queue-shape.ts'
import { waitingTime } from '../times.ts'

const REFRESH_MS = 10_000

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
  const fetched = useInfiniteQuery({
    queryKey: ['queue', queue],
    initialPageParam: { page: 1 } as { page: number; last?: Item },
    queryFn: ({ pageParam: { page, last } }) => shape.list(page, last),
    getNextPageParam: ({ items, next }, _, { page }) =>
      next ? { page: page + 1, last: items.at(-1) } : undefined,
    refetchInterval: REFRESH_MS,
  })
  const pages = fetched.data?.pages ?? []
  const { isHidden } = usePending()
  const items = pages.flatMap((page) => page.items).filter((item) => !isHidden(idOf(item)))
  const openCase = useOpenCase(shape, items, fetched.isSuccess)
  const { selected, item, error, isMissing, select, open, takeOver, close, decided } = openCase
  const move = (by: number) => {
    const at = items.findIndex((item) => idOf(item) === selected)
    const next = items[Math.max(0, Math.min(items.length - 1, at + by))]
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
          {t(pages.at(-1)?.next ? 'office.queue.waiting_more' : 'office.queue.waiting', {
            count: items.length,
          })}
        </span>
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
              <Row
                key={idOf(one)}
                shape={shape}
                item={one}
                isSelected={idOf(one) === selected}
                onPress={() => open(idOf(one))}
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
              <Detail key={opened} item={item} onDecided={() => void decided()} />
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

interface RowProps<Item> {
  shape: QueueShape<Item>
  item: Item
  isSelected: boolean
  onPress: () => void
}

function Row<Item>({ shape, item, isSelected, onPress }: RowProps<Item>) {
  const { id } = useStaff()
  const { title, text, isSevere } = shape.row(item)
  const claim = shape.claimOf(item)
  const isOthers = claim !== null && claim.staff_id !== id
  return (
    <li>
      <button
        type="button"
        data-case={shape.idOf(item)}
        aria-current={isSelected || undefined}
        className={cx(
          'flex w-full flex-col gap-0.5 border-b border-hair px-4 py-2.5 text-start',
          isSelected
            ? 'bg-surface-2 shadow-[inset_3px_0_0_var(--ember)] rtl:shadow-[inset_-3px_0_0_var(--ember)]'
            : 'hover:bg-surface-1',
        )}
        onClick={onPress}
      >
        <span className="flex w-full items-baseline justify-between gap-2">
          <span className={cx('truncate font-medium', isSevere && 'text-danger')}>{title}</span>
          <time className="shrink-0 text-text-2 tabular-nums" dateTime={shape.sinceOf(item)}>
            {waitingTime(shape.sinceOf(item))}
          </time>
        </span>
        <span className="w-full truncate text-text-2">
          {text}
          {isOthers && (
            <span className="text-warn"> · {t('office.queue.has_it', { name: claim.email })}</span>
          )}
        </span>
      </button>
    </li>
  )
}
