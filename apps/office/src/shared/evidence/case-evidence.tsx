import { useState, type ReactNode } from 'react'
import type { ComplaintCase } from '@duet/protocol'
import { TranslatedTexts } from '../translation/translated-texts.tsx'
import { CaseFacts } from './case-facts.tsx'
import { EvidencePictures } from './evidence-pictures.tsx'
import { Timeline } from './timeline.tsx'

/** The evidence of a complaint: the pictures, the figures, and everything that happened in the order of time. */
export function CaseEvidence({ shown, children }: { shown: ComplaintCase; children: ReactNode }) {
  const [frame, chooseFrame] = useState<string>()
  const texts = shown.timeline.flatMap((entry) => (entry.type === 'text' ? [entry.text] : []))
  return (
    <>
      <EvidencePictures shown={shown} frame={frame} onFrame={chooseFrame}>
        {children}
      </EvidencePictures>
      <CaseFacts shown={shown} />
      <TranslatedTexts texts={[shown.complaint.comment, ...texts]}>
        <Timeline shown={shown} frame={frame} onFrame={chooseFrame} />
      </TranslatedTexts>
    </>
  )
}
