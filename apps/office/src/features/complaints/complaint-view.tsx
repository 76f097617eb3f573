import { useQuery } from '@tanstack/react-query'
import type { ComplaintCase, DeskComplaint } from '@duet/protocol'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { api, sentenceOf } from '../../shared/api.ts'
import { t, textOr } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { ComplaintDecisionForm } from './complaint-decision.tsx'
import { nameOf, reasonName } from './complaint-names.ts'
import { EvidencePictures } from './evidence-pictures.tsx'

/** A complaint with its evidence and the decision beside it. */
export function ComplaintView({ item, onDecided }: { item: DeskComplaint; onDecided: () => void }) {
  const { data, error, isPending } = useQuery({
    queryKey: ['complaint', item.id],
    queryFn: () => api.get('v2/manager/complaints/{id}', { id: item.id }),
    // Each fetch is a recorded look.
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (isPending)
    return (
      <p role="status" className="p-4 text-text-2">
        {t('office.loading')}
      </p>
    )
  if (error) return <Banner tone="danger">{sentenceOf(error)}</Banner>
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto lg:flex-row lg:overflow-hidden">
      <div className="flex min-w-0 flex-1 flex-col gap-4 p-4 lg:overflow-y-auto">
        <h2 className="text-[calc(16rem/16)] font-semibold">
          {reasonName(item)} <span className="text-text-3">#{item.id}</span>
        </h2>
        <EvidencePictures shown={data} />
        <Facts shown={data} />
        <Transcript shown={data} />
        <History shown={data} />
      </div>
      <ComplaintDecisionForm shown={data} onDecided={onDecided} />
    </div>
  )
}

function Facts({ shown: { call, about_accused, by_complainer } }: { shown: ComplaintCase }) {
  const facts: [string, string][] = [
    ...(call
      ? ([
          [t('office.facts.session'), `${call.session_id}, ${call.kind}`],
          [t('office.facts.begun'), shortTime(call.connected_at ?? call.opened_at)],
          [
            t('office.facts.ended'),
            call.closed_at
              ? `${shortTime(call.closed_at)} · ${call.reason ?? ''}`
              : t('office.facts.running'),
          ],
        ] as [string, string][])
      : []),
    [t('office.facts.about'), t('office.facts.tally', about_accused)],
    [t('office.facts.by'), t('office.facts.tally', by_complainer)],
  ]
  return (
    <dl className="grid shrink-0 grid-cols-2 gap-px overflow-hidden rounded-field bg-hair shadow-[inset_0_0_0_1px_var(--hair)] md:grid-cols-3">
      {facts.map(([name, value]) => (
        <div key={name} className="bg-surface-1 px-3 py-2">
          <dt className="text-text-2">{name}</dt>
          <dd className="font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The words of the case: the comment of the complaint, the texts of the call, and the last messages of the two. */
function Transcript({ shown }: { shown: ComplaintCase }) {
  const { accused, complainer, comment } = shown.complaint
  const lines = [...shown.messages, ...shown.texts]
  const sender = (id: number) => (id === accused.id ? nameOf(accused) : nameOf(complainer))
  return (
    <section aria-label={t('office.transcript')} className="rounded-field bg-surface-1">
      <p className="border-b border-hair px-3 py-2">
        <span className="text-text-2">{t('office.comment')}</span>{' '}
        {comment === '' ? t('office.no_comment') : <bdi>{comment}</bdi>}
      </p>
      {lines.length === 0 && <p className="px-3 py-2 text-text-2">{t('office.no_texts')}</p>}
      <ol>
        {lines.map((line, index) => (
          <li
            key={index}
            className={`grid grid-cols-[auto_96px_1fr] gap-3 px-3 py-1.5 ${line.sender_id === accused.id ? 'bg-surface-2' : ''}`}
          >
            <time className="text-text-3 tabular-nums" dateTime={line.at}>
              {shortTime(line.at)}
            </time>
            <span className="truncate text-text-2">{sender(line.sender_id)}</span>
            <bdi className="min-w-0 break-words">{line.text}</bdi>
          </li>
        ))}
      </ol>
    </section>
  )
}

function History({ shown: { statements, earlier } }: { shown: ComplaintCase }) {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-text-2">{t('office.history.title')}</h3>
      {statements.length + earlier.length === 0 && <p>{t('office.history.none')}</p>}
      <ul className="flex flex-col">
        {statements.map((statement) => (
          <li key={`s${statement.id}`} className="flex justify-between gap-3 py-1">
            <span>
              {textOr(`office.statement.${statement.kind}`, statement.kind)} · {statement.comment}
            </span>
            <time className="shrink-0 text-text-2">{shortTime(statement.at)}</time>
          </li>
        ))}
        {earlier.map((complaint) => (
          <li key={complaint.id} className="flex justify-between gap-3 py-1">
            <span>{reasonName(complaint)}</span>
            <span className="shrink-0 text-text-2">
              {textOr(
                `office.decision.${complaint.decision ?? 'waiting'}`,
                complaint.decision ?? '',
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
