import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { DeskPhoto } from '@duet/protocol/contracts/media-desk.ts'
import { photoVerdicts } from '@duet/protocol/kernel/rule-names.ts'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { EmptyState } from '@duet/ui/feedback/empty-state.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { useKeys } from '../../shared/keys/use-keys.ts'
import { MedianAnswer } from '../../shared/queue/median-answer.tsx'
import { PageHeader } from '../../shared/page-header.tsx'
import { usePending } from '../../shared/queue/pending-decision.tsx'
import { type GivenVerdict, VerdictForm } from '../../shared/queue/verdict-form.tsx'
import { t } from '../../shared/texts.ts'
import { photoDecision } from './photo-decision.ts'
import { PhotoTile } from './photo-tile.tsx'

const SHOWN_MAX = 24
const REFRESH_MS = 10_000

interface GridProps {
  list: () => Promise<{ readonly items: readonly DeskPhoto[]; readonly next: boolean }>
}

/** Pictures that wait. The one under the pointer or the focus is clear, and keys decide the one with the focus. */
export function PhotoGrid({ list }: GridProps) {
  const [, setParams] = useSearchParams()
  const [rejected, reject] = useState<DeskPhoto>()
  const fetched = useQuery({
    queryKey: ['queue', 'photos', 'grid'],
    queryFn: list,
    refetchInterval: REFRESH_MS,
  })
  const { isHidden } = usePending()
  const items = (fetched.data?.items ?? []).filter(({ id }) => !isHidden(id))
  const shown = items.slice(0, SHOWN_MAX)
  const { error, decide } = useTileDecision(shown)
  const focused = () => shown.find(({ id }) => id === focusedId())
  const move = (by: number) => {
    // The form is about the picture that had the focus.
    reject(undefined)
    const at = shown.findIndex(({ id }) => id === focusedId())
    focusTile(shown[Math.max(0, Math.min(shown.length - 1, at + by))]?.id)
  }
  // A still does not show what a video shows.
  const photo = () => focused()?.kind === 'photo' && focused()
  const approve = () => {
    const item = photo()
    reject(undefined)
    if (item) void decide(item.id, { choice: 'approve', comment: '' })
  }
  const askReason = () => {
    const item = photo()
    if (item) reject(item)
  }
  const escape = () => reject(undefined)
  useKeys({ j: () => move(1), k: () => move(-1), a: approve, r: askReason, Escape: escape })
  return (
    <>
      <PageHeader title={t('word.photos')}>
        <span className="rounded-tag bg-surface-2 px-2 py-0.5 text-text-2 tabular-nums">
          {t(fetched.data?.next ? 'office.queue.waiting_more' : 'office.queue.waiting', {
            count: items.length,
          })}
        </span>
        <MedianAnswer queue="photos" />
      </PageHeader>
      {(error ?? fetched.error) !== null && (
        <Banner tone="danger">{errorSentence(error ?? fetched.error)}</Banner>
      )}
      {fetched.isPending && (
        <p role="status" className="p-4 text-text-2">
          {t('office.loading')}
        </p>
      )}
      {fetched.isSuccess && items.length === 0 && (
        <EmptyState title={t('office.queue.empty')} text={t('office.queue.empty_text')} />
      )}
      {items.length > 0 && <p className="px-4 py-2 text-text-2">{t('office.media.grid_text')}</p>}
      <div className="flex min-h-0 flex-1">
        <ul className="grid flex-1 auto-rows-min grid-cols-2 gap-3 overflow-y-auto p-4 md:grid-cols-4 xl:grid-cols-6">
          {shown.map((item) => (
            <PhotoTile key={item.id} item={item} onOpen={() => setParams({ case: item.id })} />
          ))}
        </ul>
        {rejected !== undefined && (
          <aside className="flex w-[332px] shrink-0 flex-col gap-4 overflow-y-auto border-s border-hair p-4">
            <VerdictForm
              key={rejected.id}
              label={t('office.decide.reason')}
              owner={rejected.user}
              choices={photoVerdicts}
              onDecide={(given) => {
                void decide(rejected.id, given).then((isKept) => isKept && reject(undefined))
              }}
            />
          </aside>
        )}
      </div>
    </>
  )
}

function focusedId(): string | undefined {
  const active = document.activeElement
  return active instanceof HTMLElement ? active.dataset['case'] : undefined
}

function focusTile(id: string | undefined): void {
  document.querySelector<HTMLElement>(`[data-case="${id}"]`)?.focus()
}

/** Claims the picture for the time in which the decision can be taken back, and goes to the next picture. */
function useTileDecision(shown: readonly DeskPhoto[]) {
  const { decide } = usePending()
  const [error, setError] = useState<unknown>(null)
  const [next, goTo] = useState<{ id: string | undefined }>()
  useEffect(() => focusTile(next?.id), [next])
  return {
    error,
    decide: async (id: string, given: GivenVerdict) => {
      const at = shown.findIndex((item) => item.id === id)
      try {
        await api.post('v2/manager/claim', { queue: 'photos', id })
      } catch (refused) {
        setError(refused)
        return false
      }
      setError(null)
      decide(photoDecision(id, given), 'later')
      goTo({ id: (shown[at + 1] ?? shown[at - 1])?.id })
      return true
    },
  }
}
