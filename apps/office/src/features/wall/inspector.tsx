import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { WatchedCall } from '@duet/protocol'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { Button } from '@duet/ui/controls/button.tsx'
import { KeyCap } from '@duet/ui/controls/key-cap.tsx'
import { api, errorSentence } from '../../shared/api.ts'
import { useKeys } from '../../shared/keys/use-keys.ts'
import { t, textOr } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { CallAct } from './call-act.tsx'
import { personName } from '../../shared/person-name.ts'

interface InspectorProps {
  sessionId: number
  /** The call is not among the running ones any more. */
  isOver: boolean
  onClose: () => void
}

/** One call beside the wall. Opening it is recorded, and so is each fresh look. */
export function Inspector({ sessionId, isOver, onClose }: InspectorProps) {
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
  return (
    <aside
      ref={view}
      tabIndex={-1}
      aria-label={t('office.wall.inspector')}
      className="flex w-full shrink-0 flex-col gap-4 border-s border-hair p-4 outline-none lg:w-[336px] lg:overflow-y-auto"
    >
      {error && <Banner tone="danger">{errorSentence(error)}</Banner>}
      {isOver && <Banner tone="warn">{t('office.wall.over')}</Banner>}
      {data && (
        <>
          <header className="flex items-start justify-between gap-2">
            <h2 className="text-[calc(16rem/16)] font-semibold">
              <bdi>
                {t('office.wall.pair', {
                  girl: personName(data.call.girl),
                  guy: personName(data.call.guy),
                })}
              </bdi>{' '}
              <span className="text-text-3">#{sessionId}</span>
            </h2>
            <Button size={36} variant="quiet" onClick={onClose}>
              {t('action.close')} <KeyCap>Esc</KeyCap>
            </Button>
          </header>
          <Frames shown={data} sessionId={sessionId} />
          <Button size={36} variant="secondary" busy={isFetching} onClick={() => void refetch()}>
            {t('office.wall.look_again')} <KeyCap>R</KeyCap>
          </Button>
          <Facts shown={data} />
          {!isOver && <CallAct call={data.call} onSent={onClose} />}
        </>
      )}
      <p className="text-center text-text-3">{t('office.wall.logged')}</p>
    </aside>
  )
}

function Frames({ shown: { call, frames }, sessionId }: { shown: WatchedCall; sessionId: number }) {
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
          {shortTime(large.at)}
        </figcaption>
      </figure>
      <div role="group" aria-label={t('office.frames.title')} className="flex gap-1.5">
        {frames.map(({ id, at }) => (
          <button
            key={id}
            type="button"
            aria-label={shortTime(at)}
            aria-pressed={id === large.id}
            className="aspect-[4/3] w-[48px] overflow-hidden rounded-control aria-pressed:shadow-[0_0_0_2px_var(--ember)]"
            onClick={() => choose(id)}
          >
            <img alt="" className="size-full object-cover" src={source(id)} />
          </button>
        ))}
      </div>
    </>
  )
}

function Facts({ shown }: { shown: WatchedCall }) {
  const { call, frames, gifts, paid_seconds } = shown
  const nudity = frames[0]?.nudity
  const facts = [
    ...(call.reasons.length > 0
      ? [
          [
            t('office.wall.why'),
            call.reasons.map((reason) => textOr(`office.wall_reason.${reason}`, reason)).join(', '),
          ],
        ]
      : []),
    ...(nudity === null || nudity === undefined
      ? []
      : [[t('office.wall.nudity'), t('office.wall.percent', { n: Math.round(nudity * 100) })]]),
    [t('office.facts.paid'), t('office.facts.minutes', { n: Math.ceil(paid_seconds / 60) })],
    [t('office.facts.gifts'), String(gifts)],
    [
      t('office.wall.complaints_about', { name: personName(call.girl) }),
      String(shown.girl_complaints),
    ],
    [
      t('office.wall.complaints_about', { name: personName(call.guy) }),
      String(shown.guy_complaints),
    ],
  ] as [string, string][]
  return (
    <dl className="flex flex-col">
      {facts.map(([name, value]) => (
        <div key={name} className="flex justify-between gap-3 py-1">
          <dt className="text-text-2">{name}</dt>
          <dd className="text-end font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
