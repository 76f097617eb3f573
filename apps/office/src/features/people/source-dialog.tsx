import type { OfficeUser } from '@duet/protocol'
import type { MovementOrigin } from '@duet/protocol/contracts/movement-sources.ts'
import { Dialog } from '@duet/ui/overlays/dialog.tsx'
import { api } from '../../shared/api.ts'
import { personName } from '../../shared/person-name.ts'
import { PersonLink } from '../../shared/person-link.tsx'
import { CaseState, useCaseLook } from '../../shared/queue/case-look.tsx'
import { t, textOr } from '../../shared/texts.ts'
import { elapsedTime, shortTime } from '../../shared/times.ts'
import { DialogReader } from './dialog-reader.tsx'
import { SourceFact } from './source-fact.tsx'

type Call = Extract<MovementOrigin, { cause: 'call' }>
type Moment = Call['timeline'][number]

interface SourceDialogProps {
  person: OfficeUser
  cause: MovementOrigin['cause']
  id: number
  onClose: () => void
}

/** The call, gift or message of a movement. A message is read in its dialog, which asks for the reason. */
export function SourceDialog({ person, cause, id, onClose }: SourceDialogProps) {
  const look = useCaseLook(['source-of-movement', person.id, cause, id], () =>
    api.get('v2/manager/users/{id}/sources/{cause}/{cause_id}', {
      id: person.id,
      cause,
      cause_id: id,
    }),
  )
  const { data } = look
  if (data?.cause === 'message')
    return (
      <DialogReader
        person={person}
        partner={data.partner}
        upTo={data.message_id}
        onClose={onClose}
      />
    )
  return (
    <Dialog
      open
      size={640}
      title={textOr(`office.source.${cause}`, `${cause} ${id}`, { id })}
      closeLabel={t('action.close')}
      onClose={onClose}
    >
      {data === undefined && <CaseState look={look} />}
      {data?.cause === 'call' && <CallCourse call={data} />}
      {data?.cause === 'gift' && <GiftFacts gift={data} />}
    </Dialog>
  )
}

function Pair({ guy, girl }: Pick<Call, 'guy' | 'girl'>) {
  return (
    <p>
      <PersonLink isAside person={guy} /> · <PersonLink isAside person={girl} />
    </p>
  )
}

function CallCourse({ call }: { call: Call }) {
  const { is_private, paid_seconds, timeline } = call
  const begun = timeline[0]?.at
  return (
    <div className="flex flex-col gap-3">
      <Pair {...call} />
      <p className="text-text-2">
        {is_private ? t('office.facts.private') : t('office.facts.public')} ·{' '}
        {t('office.facts.paid')}: {t('office.facts.minutes', { n: Math.ceil(paid_seconds / 60) })}
      </p>
      <ol aria-label={t('office.timeline')} className="flex flex-col">
        {timeline.map((moment, at) => (
          <li key={at} className="flex gap-4 border-t border-hair py-2 first:border-t-0">
            <time className="w-[96px] shrink-0 text-text-3 tabular-nums" dateTime={moment.at}>
              {moment.type === 'opened' || !begun
                ? shortTime(moment.at)
                : elapsedTime(begun, moment.at)}
            </time>
            <span className="min-w-0 break-words">{momentText(moment)}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}

function momentText({ type, gift = '', user, reason = '' }: Moment): string {
  if (type === 'gift')
    return `${user ? personName(user) : ''} ${t('office.timeline.gift', { gift })}`.trim()
  if (type === 'ended')
    return t('office.timeline.ended', { reason: textOr(`office.call_end.${reason}`, reason) })
  return type === 'opened' ? t('office.source.opened') : t(`office.timeline.${type}`)
}

function GiftFacts({ gift }: { gift: Extract<MovementOrigin, { cause: 'gift' }> }) {
  const { price, reward, at, session_id } = gift
  return (
    <div className="flex flex-col gap-3">
      <Pair {...gift} />
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        <SourceFact name={t('office.purpose.gift')} shown={gift.gift} />
        {price !== null && (
          <SourceFact
            name={t('office.ledger.price')}
            shown={`${price} ${textOr('office.asset.diamond', 'diamond')}`}
          />
        )}
        {reward !== null && (
          <SourceFact
            name={t('office.source.reward')}
            shown={`${reward} ${textOr('office.asset.coin', 'coin')}`}
          />
        )}
        <SourceFact name={t('office.audit.at')} shown={shortTime(at)} />
        {session_id !== null && (
          <SourceFact
            name={t('office.source.place')}
            shown={textOr('office.source.call', String(session_id), { id: session_id })}
          />
        )}
      </dl>
    </div>
  )
}
