import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Answer, WallCall } from '@duet/protocol'
import { cx } from '@duet/ui/class-names.ts'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { EmptyState } from '@duet/ui/feedback/empty-state.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { useKeys } from '../../shared/keys/use-keys.ts'
import { PageHeader } from '../../shared/page-header.tsx'
import { QueueKey } from '../../shared/queue/pending-decision.tsx'
import { serverNow } from '../../shared/times.ts'
import { t } from '../../shared/texts.ts'
import { useSettled } from '../../shared/use-settled.ts'
import { Inspector } from './inspector.tsx'
import { useWallAddress, type WallAddress } from './wall-address.ts'
import { WallBar } from './wall-bar.tsx'
import { WallList } from './wall-list.tsx'
import { WallTile } from './wall-tile.tsx'
import './wall-texts.ts'

const REFRESH_MS = 4000

/** The running calls, those with the highest risk first. */
export function Wall() {
  const address = useWallAddress()
  const { show, order, find, opened } = address
  const asked = { show, order, find: useSettled(find), ...(opened && { open: opened }) }
  const wall = useQuery({
    queryKey: ['queue', 'wall', asked],
    queryFn: () => api.get('v2/manager/wall', asked),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  })
  const { calls, keepPlaces } = useSteadyOrder(wall.data?.calls ?? [])
  const now = useNow()
  const grid = useRef<HTMLDivElement>(null)
  const close = () => address.set('call', undefined)
  const move = (by: number) => {
    const tiles = [...(grid.current?.querySelectorAll<HTMLElement>('[data-call]') ?? [])].filter(
      (tile) => tile.checkVisibility(),
    )
    const at = tiles.indexOf(document.activeElement as HTMLElement)
    tiles[Math.max(0, Math.min(tiles.length - 1, at + by))]?.focus()
  }
  useKeys({ j: () => move(1), k: () => move(-1), Escape: close })
  const { figures, counts, opened: running } = wall.data ?? {}
  return (
    <QueueKey value="wall">
      <PageHeader title={t('office.nav.wall')}>
        {figures && (
          <p className="flex min-w-0 flex-wrap gap-x-4 text-text-2 tabular-nums">
            <span className="max-md:hidden">{t('office.wall.online', figures)}</span>
            <span>{t('office.wall.calls', figures)}</span>
          </p>
        )}
      </PageHeader>
      <WallBar address={address} counts={counts} />
      <div className="flex min-h-0 flex-1 flex-col overflow-y-auto lg:flex-row lg:overflow-hidden">
        <div
          ref={grid}
          className={cx(
            'flex min-w-0 flex-1 flex-col gap-3 p-4 lg:overflow-y-auto',
            opened !== undefined && 'max-lg:hidden',
          )}
          onPointerEnter={() => keepPlaces(true)}
          onPointerLeave={() => keepPlaces(false)}
          onFocus={() => keepPlaces(true)}
          onBlur={() => keepPlaces(false)}
        >
          {wall.error && <Banner tone="danger">{errorSentence(wall.error)}</Banner>}
          {wall.isPending && <p role="status">{t('office.loading')}</p>}
          {wall.data && <Calls wall={wall.data} calls={calls} address={address} now={now} />}
        </div>
        {opened !== undefined && (
          <Inspector
            key={opened}
            sessionId={opened}
            running={running?.session_id === opened ? running : undefined}
            isOver={!wall.isPlaceholderData && running === null}
            now={now}
            onClose={close}
          />
        )}
      </div>
    </QueueKey>
  )
}

interface CallsProps {
  wall: Answer<'GET v2/manager/wall'>
  /** Its calls in the order in which they are shown. */
  calls: readonly WallCall[]
  address: WallAddress
  now: string
}

/** The shown sessions as tiles or in rows. */
function Calls({ wall: { counts, found }, calls, address, now }: CallsProps) {
  const { opened, isList, set } = address
  const open = (sessionId: number) => set('call', String(sessionId))
  if (calls.length === 0)
    return counts.all === 0 ? (
      <EmptyState title={t('office.wall.empty')} text={t('office.wall.empty_text')} />
    ) : (
      <EmptyState title={t('office.wall.none')} text={t('office.wall.none_text')} />
    )
  return (
    <>
      <p className="text-text-2 tabular-nums">
        {t('office.wall.shown', { shown: calls.length, found })}
      </p>
      {isList ? (
        <WallList calls={calls} now={now} opened={opened} onOpen={open} />
      ) : (
        <ul
          aria-label={t('office.nav.wall')}
          className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-4"
        >
          {calls.map((call) => (
            <WallTile
              key={call.session_id}
              call={call}
              now={now}
              isOpen={call.session_id === opened}
              onOpen={() => open(call.session_id)}
            />
          ))}
        </ul>
      )}
    </>
  )
}

/** The present, once a second, so that the times on the wall go on between two reads. */
function useNow(): string {
  const [now, setNow] = useState(() => serverNow().toISOString())
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow().toISOString()), 1000)
    return () => clearInterval(timer)
  }, [])
  return now
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
