import type { DeskComplaint } from '@duet/protocol'
import { api } from '../../shared/api.ts'
import { TranslatedTexts } from '../../shared/translation/translated-texts.tsx'
import { CaseState, useCaseLook } from '../../shared/queue/case-look.tsx'
import { CaseFacts } from '../../shared/evidence/case-facts.tsx'
import { CaseHistory } from './case-history.tsx'
import { ComplaintDecisionForm } from './complaint-decision.tsx'
import { reasonName } from './complaint-names.ts'
import { EvidencePictures } from '../../shared/evidence/evidence-pictures.tsx'
import { RaiseCase } from './raise-case.tsx'
import { PassOn } from './pass-on.tsx'
import { Transcript } from '../../shared/evidence/transcript.tsx'

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
        <EvidencePictures shown={data}>
          <h2 className="text-[calc(16rem/16)] font-semibold">
            {reasonName(item)} <span className="text-text-3">#{item.id}</span>
          </h2>
        </EvidencePictures>
        <CaseFacts shown={data} />
        <TranslatedTexts
          texts={[
            data.complaint.comment,
            ...[...data.texts, ...data.messages].map(({ text }) => text),
          ]}
        >
          <Transcript shown={data} />
        </TranslatedTexts>
        <CaseHistory shown={data} />
        <RaiseCase complaint={data.complaint} />
        <PassOn shown={data} onPassed={onDecided} />
      </div>
      <ComplaintDecisionForm shown={data} onDecided={onDecided} />
    </div>
  )
}
