import { useState } from 'react'
import { Button } from '@duet/ui/controls/button.tsx'
import { api } from '../../shared/api.ts'
import { EvidencePictures } from '../../shared/evidence/evidence-pictures.tsx'
import { CaseState, useCaseLook } from '../../shared/queue/case-look.tsx'
import { t } from '../../shared/texts.ts'
import { UserText } from '../../shared/translation/translated-texts.tsx'

/** The complaint on which the act rests. The look is recorded, so it begins with a press. */
export function AppealEvidence({ id }: { id: number }) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <Evidence id={id} />
  return (
    <Button className="self-start" size={36} variant="outline" onClick={() => setOpen(true)}>
      {t('office.appeal.evidence', { id })}
    </Button>
  )
}

function Evidence({ id }: { id: number }) {
  const { data, error } = useCaseLook(['appealed complaint', id], () =>
    api.get('v2/manager/complaints/{id}', { id }),
  )
  if (!data) return <CaseState error={error} />
  return (
    <EvidencePictures shown={data}>
      <p className="whitespace-pre-line break-words">
        <UserText>{data.complaint.comment}</UserText>
      </p>
    </EvidencePictures>
  )
}
