import { useEffect, useRef, type ReactNode } from 'react'
import { Button, cx, EmptyState, useSkeleton } from '@duet/ui'
import { t } from '../i18n.ts'
import type { ListPages } from './use-pages.ts'

interface PagedListProps<Item> {
  readonly pages: ListPages<Item>
  /** The sentence in the place of items that could not be fetched. */
  readonly failed: string
  /** In the place of a list without items. */
  readonly empty: ReactNode
  /** Grey shapes of items, shown when the first page takes longer than a moment. */
  readonly skeleton: ReactNode
  /** Inside of a panel or a dialog, where a page's picture is too large. */
  readonly small?: boolean
  readonly children: (items: readonly Item[]) => ReactNode
}

/** A list in pages, in all its states: loading, failed, empty, and with a button for more. */
export function PagedList<Item>(props: PagedListProps<Item>) {
  const { pages, failed, empty, skeleton, small, children } = props
  const { items, status, more, retry } = pages
  const hasSkeleton = useSkeleton(status === 'loading')
  if (hasSkeleton) return <div aria-busy>{skeleton}</div>
  if (status === 'loading') return <div className={small ? 'min-h-40' : 'min-h-96'} />
  if (status === 'failed') return <Failed failed={failed} small={small} onRetry={retry} />
  if (items.length === 0 && more === 'end') return empty
  return (
    <>
      {children(items)}
      {more === 'end' ? null : <More pages={pages} failed={failed} small={small} />}
    </>
  )
}

/** So many items follow by themselves. A list is fetched again as a whole, so a longer list needs presses. */
const BY_ITSELF_MAX = 100
/** The next page is fetched this far before its place is in view. */
const AHEAD = '600px'

/** Loads the next page when its place comes near. A browser without the observer has the button. */
function useNearEnd(isWanted: boolean, loadMore: () => void) {
  const place = useRef<HTMLSpanElement>(null)
  const latest = useRef(loadMore)
  useEffect(() => {
    latest.current = loadMore
  })
  useEffect(() => {
    if (!isWanted || !place.current || !('IntersectionObserver' in window)) return
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && latest.current(),
      { rootMargin: AHEAD },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isWanted])
  return place
}

type LookProps = Pick<PagedListProps<unknown>, 'failed' | 'small'>

function Failed({ failed, small, onRetry }: LookProps & { onRetry: () => void }) {
  const retry = (
    <Button variant={small ? 'secondary' : undefined} onClick={onRetry}>
      {t('action.retry')}
    </Button>
  )
  if (small)
    return (
      <div role="alert" className="flex flex-col items-center gap-3 px-4 py-8 text-center">
        <p className="body text-text-2">{failed}</p>
        {retry}
      </div>
    )
  return (
    <div role="alert">
      <EmptyState title={failed} action={retry} />
    </div>
  )
}

function More({
  pages: { items, more, loadMore },
  failed,
  small,
}: LookProps & { pages: ListPages<unknown> }) {
  const isFailed = more === 'failed'
  const isNear = !small && more === 'ready' && items.length < BY_ITSELF_MAX
  const place = useNearEnd(isNear, loadMore)
  return (
    <span
      ref={place}
      role={isFailed ? 'alert' : undefined}
      className={cx('flex flex-col items-center gap-2', small && 'pt-2 pb-1')}
    >
      {isFailed ? <span className="note text-text-2">{failed}</span> : null}
      <Button variant={small ? 'quiet' : undefined} busy={more === 'loading'} onClick={loadMore}>
        {t(isFailed ? 'action.retry' : 'action.show_more')}
      </Button>
    </span>
  )
}
