import type { DeskComplaint } from '@duet/protocol'
import { api } from '../../shared/api.ts'
import { CaseState, useCaseLook } from '../../shared/queue/case-look.tsx'
import { CaseHistory } from './case-history.tsx'
import { ComplaintDecisionForm } from './complaint-decision.tsx'
import { reasonName } from './complaint-names.ts'
import { CaseEvidence } from '../../shared/evidence/case-evidence.tsx'
import { RaiseCase } from './raise-case.tsx'

/** A complaint with its evidence and the decision beside it. */
export function ComplaintView({ item, onDecided }: { item: DeskComplaint; onDecided: () => void }) {
  const look = useCaseLook(['complaint', item.id], () =>
    api.get('v2/manager/complaints/{id}', { id: item.id }),
  )
  const { data } = look
  if (!data) return <CaseState look={look} />
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto lg:flex-row lg:overflow-hidden">
      <div className="flex min-w-0 flex-1 flex-col gap-4 p-4 lg:overflow-y-auto">
        <CaseEvidence shown={data}>
          <h2 className="text-[calc(16rem/16)] font-semibold">
            {reasonName(data.complaint)} <span className="text-text-3">#{item.id}</span>
          </h2>
        </CaseEvidence>
        <CaseHistory shown={data} />
        <RaiseCase complaint={data.complaint} />
      </div>
      <ComplaintDecisionForm shown={data} onDecided={onDecided} />
    </div>
  )
}
