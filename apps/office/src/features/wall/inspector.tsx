import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { WallCall, WatchedCall } from '@duet/protocol'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { KeyCap } from '@duet/ui/controls/key-cap.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { useKeys } from '../../shared/keys/use-keys.ts'
import { PersonLink } from '../../shared/person-link.tsx'
import { t } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { CallAct } from './call-act.tsx'
import { Checks, Events, Facts, Networks } from './call-facts.tsx'
import { CallTime, frameAge } from './wall-tile.tsx'
import { personName } from '../../shared/person-name.ts'

interface InspectorProps {
  sessionId: number
  /** The call as the wall shows it now. */
  running: WallCall | undefined
  /** The call is not among the running ones any more. */
  isOver: boolean
  now: string
  onClose: () => void
}

/** One call beside the wall. Opening it is recorded, and so is each fresh look. */
export function Inspector({ sessionId, running, isOver, now, onClose }: InspectorProps) {
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['watched', sessionId],
    queryFn: () => api.post('v2/manager/wall/{id}/open', { id: sessionId }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })
  const view = useRef<HTMLElement>(null)
  useEffect(() => view.current?.focus(), [])
  useKeys({ r: () => void refetch() })
  const call = running ?? data?.call
  return (
    <aside
      ref={view}
      tabIndex={-1}
      aria-label={t('office.wall.inspector')}
      className="flex w-full shrink-0 flex-col gap-4 border-s border-hair p-4 outline-none lg:w-[336px] lg:overflow-y-auto"
    >
      {error && <Banner tone="danger">{errorSentence(error)}</Banner>}
      {isOver && <Banner tone="warn">{t('office.wall.over')}</Banner>}
      {data && call && (
        <>
          <header className="flex items-start justify-between gap-2">
            <div className="min-w-0">
              <h2 className="text-[calc(16rem/16)] font-semibold">
                <PersonLink isAside person={call.girl} /> {t('office.wall.with')}{' '}
                <PersonLink isAside person={call.guy} />
              </h2>
              <p className="flex gap-2 text-text-2">
                <bdi>#{sessionId}</bdi> <CallTime call={call} now={now} />
              </p>
            </div>
            <Button size={36} variant="quiet" onClick={onClose}>
              {t('action.close')} <KeyCap>Esc</KeyCap>
            </Button>
          </header>
          <Frames shown={data} sessionId={sessionId} now={now} />
          <Button size={36} variant="secondary" busy={isFetching} onClick={() => void refetch()}>
            {t('office.wall.look_again')} <KeyCap>R</KeyCap>
          </Button>
          <Checks shown={data} />
          <Networks call={call} bitrates={data.bitrates} />
          <Facts shown={data} call={call} />
          <Events shown={data} />
          <CallAct call={call} isOver={isOver} onSent={onClose} />
        </>
      )}
      <p className="text-center text-text-3">{t('office.wall.logged')}</p>
    </aside>
  )
}

interface FramesProps {
  shown: WatchedCall
  sessionId: number
  now: string
}

function Frames({ shown: { call, frames }, sessionId, now }: FramesProps) {
  const [chosen, choose] = useState<string>()
  const large = frames.find(({ id }) => id === chosen) ?? frames[0]
  const source = (id: string) => `/api/v2/manager/wall/${sessionId}/frames/${id}`
  if (!large)
    return (
      <p className="rounded-field bg-surface-2 p-6 text-center text-text-2">
        {call.is_private ? t('office.wall.signals_only') : t('office.wall.no_frame')}
      </p>
    )
  return (
    <>
      <figure className="relative shrink-0 overflow-hidden rounded-field bg-surface-2">
        <img
          alt={t('office.wall.camera', { name: personName(call.girl) })}
          className="aspect-[4/3] w-full object-contain"
          src={source(large.id)}
        />
        <figcaption className="absolute bottom-2 end-2 rounded-tag bg-black/70 text-white px-2 py-0.5">
          {frameAge(large.at, now)}
        </figcaption>
      </figure>
      <div role="group" aria-label={t('office.frames.title')} className="flex gap-1.5">
        {frames.map(({ id, at, is_flagged }) => (
          <button
            key={id}
            type="button"
            aria-label={shortTime(at)}
            aria-pressed={id === large.id}
            className="relative aspect-[4/3] w-[48px] overflow-hidden rounded-control aria-pressed:shadow-[0_0_0_2px_var(--ember)]"
            onClick={() => choose(id)}
          >
            <img alt="" className="size-full object-cover" src={source(id)} />
            {is_flagged && (
              <span className="absolute end-1 top-1 size-[10px] rounded-full bg-danger" />
            )}
          </button>
        ))}
      </div>
    </>
  )
}
