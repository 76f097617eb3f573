import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { WallCall } from '@duet/protocol'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { EmptyState } from '@duet/ui/feedback/empty-state.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { useKeys } from '../../shared/keys/use-keys.ts'
import { PageHeader } from '../../shared/page-header.tsx'
import { t } from '../../shared/texts.ts'
import { Inspector } from './inspector.tsx'
import { WallTile } from './wall-tile.tsx'

const REFRESH_MS = 4000

/** The running calls, those with the highest risk first. */
export function Wall() {
  const wall = useQuery({
    queryKey: ['queue', 'wall'],
    queryFn: () => api.get('v2/manager/wall'),
    refetchInterval: REFRESH_MS,
  })
  const { calls, keepPlaces } = useSteadyOrder(wall.data?.calls ?? [])
  const [opened, open] = useState<number>()
  const grid = useRef<HTMLUListElement>(null)
  const move = (by: number) => {
    const tiles = [...(grid.current?.querySelectorAll<HTMLElement>('button') ?? [])]
    const at = tiles.indexOf(document.activeElement as HTMLElement)
    tiles[Math.max(0, Math.min(tiles.length - 1, at + by))]?.focus()
  }
  useKeys({ j: () => move(1), k: () => move(-1), Escape: () => open(undefined) })
  const shown = calls.find(({ session_id }) => session_id === opened)
  const figures = wall.data?.figures
  return (
    <>
      <PageHeader title={t('office.nav.wall')}>
        {figures && (
          <p className="flex flex-wrap gap-x-4 text-text-2 tabular-nums">
            <span>{t('office.wall.online', figures)}</span>
            <span>{t('office.wall.calls', figures)}</span>
          </p>
        )}
      </PageHeader>
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto lg:flex-row lg:overflow-hidden">
        <div className="min-w-0 flex-1 p-4 lg:overflow-y-auto">
          {wall.error && <Banner tone="danger">{errorSentence(wall.error)}</Banner>}
          {wall.isPending && <p role="status">{t('office.loading')}</p>}
          {wall.isSuccess && calls.length === 0 && (
            <EmptyState title={t('office.wall.empty')} text={t('office.wall.empty_text')} />
          )}
          <ul
            ref={grid}
            aria-label={t('office.nav.wall')}
            className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-4"
            onPointerEnter={() => keepPlaces(true)}
            onPointerLeave={() => keepPlaces(false)}
            onFocus={() => keepPlaces(true)}
            onBlur={() => keepPlaces(false)}
          >
            {calls.map((call) => (
              <WallTile
                key={call.session_id}
                call={call}
                isOpen={call.session_id === opened}
                onOpen={() => open(call.session_id)}
              />
            ))}
          </ul>
        </div>
        {opened !== undefined && (
          <Inspector
            key={opened}
            sessionId={opened}
            isOver={wall.isSuccess && !shown}
            onClose={() => open(undefined)}
          />
        )}
      </div>
    </>
  )
}

/** While the pointer or the keyboard is on the tiles they keep their places; new calls go to the end. */
function useSteadyOrder(fetched: readonly WallCall[]) {
  const keepsPlaces = useRef(false)
  const places = useRef<readonly number[]>([])
  const findPlace = ({ session_id }: WallCall) => {
    const at = places.current.indexOf(session_id)
    return at === -1 ? Number.POSITIVE_INFINITY : at
  }
  const calls = keepsPlaces.current
    ? fetched.toSorted((one, other) => Math.sign(findPlace(one) - findPlace(other)) || 0)
    : fetched
  places.current = calls.map(({ session_id }) => session_id)
  return { calls, keepPlaces: (keeps: boolean) => void (keepsPlaces.current = keeps) }
}
