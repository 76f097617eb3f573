import type { DeskCheck } from '@duet/protocol/contracts/verification-desk.ts'
import { api } from '../../shared/api.ts'
import { CaseState, useCaseLook } from '../../shared/queue/case-look.tsx'
import { useProof } from '../../shared/prove/prove.tsx'
import { t, textOr } from '../../shared/texts.ts'
import { QueuePage } from '../../shared/queue/queue-page.tsx'
import type { QueueShape } from '../../shared/queue/queue-shape.ts'
import { personName } from '../../shared/person-name.ts'
import { CheckDecision } from './check-decision.tsx'
import { documentText, gestureText } from './check-texts.ts'

const shape: QueueShape<DeskCheck> = {
  queue: 'verifications',
  title: t('office.nav.verifications'),
  list: ({ page }) => api.get('v2/manager/verifications', { 'per-page': 50, page }),
  idOf: ({ id }) => String(id),
  claimOf: ({ claim }) => claim,
  sinceOf: ({ create_time }) => create_time,
  row: ({ user, document_type, country }) => ({
    title: personName(user),
    text: documentText({ document_type, country }),
  }),
  detail: CheckView,
}

export function Verifications() {
  return <QueuePage shape={shape} />
}

function CheckView({ item, onDecided }: { item: DeskCheck; onDecided: () => void }) {
  const proof = useProof()
  const look = useCaseLook(['verification', item.id], () =>
    proof.with(() => api.get('v2/manager/verifications/{id}', { id: item.id })),
  )
  const { data } = look
  if (!data) return <CaseState look={look} />
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto lg:flex-row">
      <div className="flex min-w-0 flex-1 flex-col gap-4 p-4">
        <dl className="grid grid-cols-2 gap-3">
          <dt className="text-text-2">{t('office.check.birthday')}</dt>
          <dd>{data.birthday ?? '–'}</dd>
          <dt className="text-text-2">{t('office.check.gesture')}</dt>
          <dd>{data.gesture === null ? '–' : gestureText(data.gesture)}</dd>
          <dt className="text-text-2">{t('office.check.document')}</dt>
          <dd>{documentText(item)}</dd>
        </dl>
        <div className="grid gap-2 md:grid-cols-2">
          {data.sides.map((side) => (
            <img
              key={side}
              alt={textOr(`office.side.${side}`, side)}
              className="w-full rounded-field bg-surface-2 object-contain"
              src={`/api/v2/manager/verifications/${item.id}/documents/${side}`}
            />
          ))}
        </div>
      </div>
      <CheckDecision item={item} data={data} onDecided={onDecided} />
    </div>
  )
}
