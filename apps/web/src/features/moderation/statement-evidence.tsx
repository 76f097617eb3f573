import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EyeIcon } from '@phosphor-icons/react/dist/csr/Eye'
import { isRefused } from '@duet/client'
import type { Statement } from '@duet/protocol'
import type { EvidenceKind } from '@duet/protocol/contracts/moderation.ts'
import { Button } from '@duet/ui'
import { useAppServices } from '../../shared/app-services.tsx'
import { t } from '../../shared/i18n.ts'
import { useObjectUrl } from '../../shared/media/use-object-url.ts'
import { timeText } from './sanction-texts.ts'

/** The grounds of a decision about the user: where and when it happened, and the own texts and pictures. */
export function StatementEvidence({ statement }: { statement: Statement | undefined }) {
  if (!statement) return null
  const { id, place, call_at, texts, evidence } = statement
  if (!place && texts.length + evidence.length === 0) return null
  return (
    <section aria-label={t('evidence.title')} className="mt-3 flex flex-col gap-2 text-start">
      {place ? <p className="note text-text-2">{placeLine(place, call_at)}</p> : null}
      {texts.map(({ text, place: where, at }, index) => (
        <figure key={index} className="border-s-2 border-hair ps-3">
          <figcaption className="note text-text-3">{placeLine(where, at)}</figcaption>
          <blockquote className="body whitespace-pre-line break-words text-text">
            <bdi>{text}</bdi>
          </blockquote>
        </figure>
      ))}
      {evidence.map((kind) => (
        <EvidencePicture key={kind} id={id} kind={kind} />
      ))}
    </section>
  )
}

function placeLine(place: NonNullable<Statement['place']>, time: string | undefined): string {
  const where = t(`penalty.place.${place}`)
  return time ? t('evidence.where', { where, time: timeText(time) }) : where
}

/** A picture of the evidence, fetched and shown after a press. Its address answers to the token of its user only. */
export function EvidencePicture({ id, kind }: { id: number; kind: EvidenceKind }) {
  const { connection } = useAppServices()
  const [isShown, setShown] = useState(false)
  const { data, isFetching, error, refetch } = useQuery({
    queryKey: ['statements', id, 'evidence', kind],
    queryFn: () => connection.http.download('statements/{id}/evidence/{kind}', { id, kind }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isShown,
  })
  const address = useObjectUrl(data ?? null)
  if (isRefused(error, 'GET statements/{id}/evidence/{kind}', 'not_found'))
    return <p className="note text-text-2">{t('evidence.gone')}</p>
  if (address)
    return (
      <img
        src={address}
        alt={t(`evidence.kind.${kind}`)}
        className="max-h-60 w-full rounded-field object-contain"
      />
    )
  return (
    <div className="grid min-h-28 place-items-center gap-2 rounded-field bg-surface-2 p-2">
      {error ? (
        <p role="alert" className="note text-text-2">
          {t('evidence.failed')}
        </p>
      ) : null}
      <Button
        size={36}
        variant="secondary"
        busy={isFetching}
        icon={<EyeIcon size={18} />}
        onClick={() => (error ? void refetch() : setShown(true))}
      >
        {error ? t('action.retry') : t('evidence.show', { what: t(`evidence.kind.${kind}`) })}
      </Button>
    </div>
  )
}
