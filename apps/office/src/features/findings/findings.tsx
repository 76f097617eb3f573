import { useState } from 'react'
import { Link } from 'react-router'
import type { FindingsCase, FoundUser } from '@duet/protocol'
import { api } from '../../shared/api.ts'
import { CaseState, useCaseLook } from '../../shared/queue/case-look.tsx'
import { EarlierStatements } from '../../shared/evidence/earlier-statements.tsx'
import { useVeil, VeilButton } from '../../shared/evidence/veil.tsx'
import { FrameStrip } from '../../shared/evidence/frame-strip.tsx'
import { PersonLink } from '../../shared/person-link.tsx'
import { personName } from '../../shared/person-name.ts'
import { QueuePage } from '../../shared/queue/queue-page.tsx'
import type { QueueShape } from '../../shared/queue/queue-shape.ts'
import { UserDecision } from '../../shared/queue/user-decision.tsx'
import { t, textOr } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { FacePictures } from './face-pictures.tsx'
import { findingNames } from './finding-names.ts'

const shape: QueueShape<FoundUser> = {
  queue: 'findings',
  title: t('office.nav.findings'),
  list: ({ page }) => api.get('v2/manager/findings', { 'per-page': 50, page }),
  idOf: ({ user }) => String(user.id),
  claimOf: ({ claim }) => claim,
  sinceOf: ({ first_at }) => first_at,
  row: ({ user, kinds }) => ({
    title: personName(user),
    text: kinds.map((kind) => t(findingNames[kind].title)).join(', '),
    isSevere: kinds.some((kind) => kind.startsWith('banned')),
  }),
  detail: FindingsView,
}

/** The queue of what automatic checks have found. */
export function Findings() {
  return <QueuePage shape={shape} />
}

function FindingsView({ item, onDecided }: { item: FoundUser; onDecided: () => void }) {
  const look = useCaseLook(['findings', item.user.id], () =>
    api.get('v2/manager/findings/{id}', { id: item.user.id }),
  )
  const { data } = look
  const veil = useVeil()
  if (!data) return <CaseState look={look} />
  const { user, findings, earlier, statements } = data
  const newest = findings[0]
  const isVeiled = findings.some(({ kind, frames }) => kind === 'nudity' && frames.length > 0)
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto lg:flex-row lg:overflow-hidden">
      <div className="flex min-w-0 flex-1 flex-col gap-4 p-4 lg:overflow-y-auto">
        <p className="text-text-2">
          <PersonLink isAside person={user} /> · {t('office.findings.earlier', { count: earlier })}
        </p>
        {isVeiled && (
          <div>
            <VeilButton {...veil} />
          </div>
        )}
        <ul className="flex flex-col gap-3">
          {findings.map((finding) => (
            <Finding
              key={finding.id}
              finding={finding}
              userId={user.id}
              isClear={!isVeiled || veil.isClear}
            />
          ))}
        </ul>
        <EarlierStatements statements={statements} />
      </div>
      {newest && (
        <UserDecision
          caseId={String(user.id)}
          user={user}
          reasons={findingNames[newest.kind].reasons}
          send={(given) =>
            api.post('v2/manager/findings/{id}/decide', {
              id: user.id,
              until_finding: newest.id,
              ...given,
            })
          }
          onDecided={onDecided}
        />
      )}
    </div>
  )
}

function Finding({
  finding: { kind, other, shared, session_id, order_id, at, pictures, frames },
  userId,
  isClear,
}: {
  finding: FindingsCase['findings'][number]
  userId: number
  isClear: boolean
}) {
  const names = findingNames[kind]
  const [frame, chooseFrame] = useState<string>()
  return (
    <li className="flex flex-col gap-1 rounded-field bg-surface-1 p-3">
      <p className="flex items-baseline justify-between gap-2">
        <span className="font-medium">{t(names.title)}</span>
        <time className="shrink-0 text-text-2" dateTime={at}>
          {shortTime(at)}
        </time>
      </p>
      <p className="text-text-2">{t(names.text)}</p>
      {other && (
        <p>
          {t('office.findings.other')} <PersonLink isAside person={other} />
        </p>
      )}
      {shared.length > 0 && (
        <p className="text-text-2">
          {t('office.findings.shared', { values: shared.map(sharedValue).join(', ') })}
        </p>
      )}
      {pictures.length > 0 && <FacePictures pictures={pictures} />}
      {order_id !== null && (
        <p className="text-text-2">{t('office.findings.order', { id: order_id })}</p>
      )}
      {session_id !== null && (
        <p>
          <Link
            className="underline"
            to={`/users/${userId}/calls?call=${session_id}`}
            target="_blank"
          >
            {t('office.findings.call', { id: session_id })}
          </Link>
        </p>
      )}
      <FrameStrip
        frames={frames}
        begun={frames[0]?.at ?? at}
        source={(id) => `/api/v2/manager/findings/${userId}/frames/${id}`}
        isClear={isClear}
        chosen={frame}
        onChoose={chooseFrame}
      />
    </li>
  )
}

function sharedValue({ signal, at }: FindingsCase['findings'][number]['shared'][number]): string {
  const name = textOr(`office.signal.${signal}`, signal)
  return at === null ? name : t('office.findings.shared_at', { name, at: shortTime(at) })
}
