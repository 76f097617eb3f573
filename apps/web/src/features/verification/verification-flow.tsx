import { useEffect, useRef, useState } from 'react'
import { Banner, Button } from '@duet/ui'
import type { Challenge } from '@duet/protocol/contracts/verification.ts'
import { t } from '../../shared/i18n.ts'
import { useAppServices, useOwnUser } from '../../shared/app-services.tsx'
import { CheckStep } from './check-step.tsx'
import { DocumentStep } from './document-step.tsx'
import { SelfieStep } from './selfie-step.tsx'
import { sendDocuments, type SendResult } from './send-documents.ts'
import {
  EMPTY_DRAFT,
  missingIn,
  type PictureName,
  type Step,
  STEPS,
  type VerificationDraft,
} from './verification-draft.ts'

export interface StepProps {
  readonly draft: VerificationDraft
  readonly change: (change: Partial<VerificationDraft>) => void
  readonly errors: Partial<Record<PictureName, string>>
}

/** Document, selfie, check. What the user chose stays through every step and error. */
export function VerificationFlow({
  challenge,
  refresh,
}: {
  challenge: Challenge
  refresh: () => Promise<void>
}) {
  const { connection } = useAppServices()
  const [step, setStep] = useState<Step>('document')
  const own = useOwnUser()
  const [draft, setDraft] = useState({ ...EMPTY_DRAFT, country: own?.country ?? null })
  const [errors, setErrors] = useState<StepProps['errors']>({})
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)
  const change = (next: Partial<VerificationDraft>) => {
    setErrors({})
    setFailure(undefined)
    setDraft((before) => ({ ...before, ...next }))
  }
  const missing = missingIn(step, draft)

  function show(result: SendResult): void {
    if (result.type === 'gesture_over') {
      setDraft((before) => ({ ...before, selfie: null }))
      setErrors({ selfie: t('verification.gesture_over') })
      setStep('selfie')
    } else if (result.type === 'wrong_picture') {
      setErrors({ [result.picture]: result.text })
      setStep(result.picture === 'selfie' ? 'selfie' : 'document')
    } else if (result.type === 'failed') setFailure(result.text)
  }

  async function send(): Promise<void> {
    setBusy(true)
    setFailure(undefined)
    try {
      const result = await sendDocuments({ connection }, challenge.id, draft)
      if (result.type === 'sent' || result.type === 'gesture_over') await refresh()
      show(result)
    } finally {
      setBusy(false)
    }
  }

  const props = { draft, change, errors }
  return (
    <section aria-labelledby="verification-step" className="panel flex flex-col gap-5 p-5">
      <StepHeading step={step} />
      {step === 'document' ? <DocumentStep {...props} /> : null}
      {step === 'selfie' ? <SelfieStep {...props} says={challenge.says} /> : null}
      {step === 'check' ? <CheckStep {...props} /> : null}
      {failure ? (
        <Banner
          tone="danger"
          action={
            <Button variant="secondary" size={36} busy={busy} onClick={() => void send()}>
              {t('verification.retry')}
            </Button>
          }
        >
          {failure}
        </Banner>
      ) : null}
      <div className="flex flex-wrap items-center gap-3">
        {step === 'document' ? null : (
          <Button variant="secondary" disabled={busy} onClick={() => setStep(before(step))}>
            {t('verification.back_step')}
          </Button>
        )}
        {step === 'check' ? (
          <Button
            variant="primary"
            busy={busy}
            disabled={missing !== null}
            onClick={() => void send()}
          >
            {t('verification.send')}
          </Button>
        ) : (
          <Button
            variant="primary"
            disabled={missing !== null}
            onClick={() => setStep(after(step))}
          >
            {t('verification.next')}
          </Button>
        )}
        {missing ? (
          <p className="note text-text-3">{t(`verification.missing.${missing}`)}</p>
        ) : null}
      </div>
    </section>
  )
}

/** Its heading gets the focus at every step, so that a screen reader starts there. */
function StepHeading({ step }: { step: Step }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) heading.current?.focus()
    isFirst.current = false
  }, [step])
  const number = STEPS.indexOf(step) + 1
  return (
    <div>
      <p className="note text-text-3">{t('verification.step', { number, count: STEPS.length })}</p>
      <h2 id="verification-step" ref={heading} tabIndex={-1} className="display-s outline-none">
        {t(`verification.step.${step}`)}
      </h2>
    </div>
  )
}

function before(step: Step): Step {
  return STEPS[Math.max(0, STEPS.indexOf(step) - 1)]!
}

function after(step: Step): Step {
  return STEPS[Math.min(STEPS.length - 1, STEPS.indexOf(step) + 1)]!
}
