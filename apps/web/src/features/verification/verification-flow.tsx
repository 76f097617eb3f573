import { useEffect, useRef } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { Banner, Button, buttonLook } from '@duet/ui'
import type { Challenge } from '@duet/protocol/contracts/verification.ts'
import { t } from '../../shared/i18n.ts'
import { useAppServices } from '../../shared/app-services.tsx'
import { useStore } from '../../shared/observable-store.ts'
import { showToast } from '../../shared/toasts.ts'
import { CheckStep } from './check-step.tsx'
import { type OwnDraft, useDraft } from './draft-store.ts'
import { DocumentStep } from './document-step.tsx'
import { isPageShown } from './page-shown.ts'
import { SendingList } from './sending-list.tsx'
import { SelfieStep } from './selfie-step.tsx'
import {
  documentUpload,
  NO_UPLOAD,
  sendDocuments,
  type DocumentUpload,
  type SendResult,
} from './send-documents.ts'
import {
  draftFor,
  missingIn,
  type Step,
  STEPS,
  type VerificationDraft,
} from './verification-draft.ts'

/** Document, selfie, check. The user's choices survive every step and error. */
export function VerificationFlow({
  challenge,
  refresh,
}: {
  challenge: Challenge
  refresh: () => Promise<void>
}) {
  const own = useDraft()
  const draft = draftFor(challenge.id, own.draft)
  const { step, goTo } = useStep(draft)
  const { is_sending, shares, failure, errors, send, clear } = useSending({ own, goTo, refresh })
  const isGestureOver = own.draft.selfie !== null && draft.selfie === null
  const props = {
    draft,
    errors: isGestureOver ? { ...errors, selfie: t('verification.gesture_over') } : errors,
    change: (change: Partial<VerificationDraft>) => {
      clear()
      own.change(change.selfie ? { ...change, challenge_id: challenge.id } : change)
    },
  }
  const missing = missingIn(step, draft)
  return (
    <section aria-labelledby="verification-step" className="panel flex flex-col gap-5 p-5">
      <StepHeading step={step} />
      {step === 'document' ? <DocumentStep {...props} /> : null}
      {step === 'selfie' ? <SelfieStep {...props} says={challenge.says} /> : null}
      {step === 'check' ? <CheckStep {...props} /> : null}
      {failure ? <Failure failure={failure} /> : null}
      <SendingList draft={draft} shares={shares} is_sending={is_sending} />
      <div className="flex flex-wrap items-center gap-3">
        {step === 'document' ? null : (
          <Button
            variant="secondary"
            disabled={is_sending}
            onClick={() => {
              clear()
              goTo(before(step))
            }}
          >
            {t('action.back')}
          </Button>
        )}
        {step === 'check' ? (
          <Button variant="primary" busy={is_sending} disabled={missing !== null} onClick={send}>
            {t(failure ? 'verification.retry' : 'verification.send')}
          </Button>
        ) : (
          <Button
            variant="primary"
            disabled={missing !== null}
            onClick={() => {
              clear()
              goTo(after(step))
            }}
          >
            {t('action.next')}
          </Button>
        )}
        {missing ? (
          <p className="note text-text-3">{t(`verification.missing.${missing}`)}</p>
        ) : null}
      </div>
    </section>
  )
}

/** Sends the draft and leads to the step that the answer is about. */
function useSending({
  own,
  goTo,
  refresh,
}: {
  own: OwnDraft
  goTo: (step: Step) => void
  refresh: () => Promise<void>
}) {
  const { connection, report } = useAppServices()
  const upload = useStore(documentUpload)
  const latest = useRef<typeof goTo>(undefined)
  useEffect(() => {
    latest.current = goTo
    return () => {
      latest.current = undefined
    }
  })

  function show(result: SendResult): void {
    const lead = (step: Step) => latest.current?.(step)
    if (result.type === 'sent') lead('document')
    else if (result.type === 'gesture_over') {
      own.change({ selfie: null })
      documentUpload.set({ ...NO_UPLOAD, errors: { selfie: t('verification.gesture_over') } })
      lead('selfie')
    } else if (result.type === 'wrong_picture') {
      documentUpload.set({ ...NO_UPLOAD, errors: { [result.picture]: result.text } })
      lead(result.picture === 'selfie' ? 'selfie' : 'document')
    } else documentUpload.update(({ shares }) => ({ ...NO_UPLOAD, shares, failure: result }))
  }

  async function send(): Promise<void> {
    const sent = own.draft
    const result = await sendDocuments({ connection }, sent)
    if (!result) return
    const isHere = isPageShown()
    // At once: the user may begin the next draft while the state is fetched.
    if (result.type === 'sent') own.forget(sent)
    if (result.type === 'sent' || result.type === 'gesture_over') await refresh()
    if (isHere) show(result)
    else tellElsewhere(result, own)
  }

  return {
    ...upload,
    send() {
      // The page may have been left and opened again while the documents are being sent.
      if (!documentUpload.getSnapshot().is_sending) send().catch(report)
    },
    /** The next change of the draft takes the errors of the last answer away. */
    clear() {
      if (!documentUpload.getSnapshot().is_sending) documentUpload.set(NO_UPLOAD)
    },
  }
}

/** For a user who left the page before the answer. No step changes, and a toast shows the result. */
function tellElsewhere(result: SendResult, own: OwnDraft): void {
  if (result.type === 'sent') {
    showToast({ kind: 'success', title: t('verification.state.checking') })
    return
  }
  if (result.type === 'gesture_over') own.change({ selfie: null })
  showToast({
    kind: 'error',
    title: t('verification.not_sent'),
    text: result.type === 'gesture_over' ? t('verification.gesture_over') : result.text,
  })
}

function Failure({ failure }: { failure: NonNullable<DocumentUpload['failure']> }) {
  return (
    <Banner tone="danger" action={failure.needs_birthday ? <ToBirthday /> : undefined}>
      {failure.text}
    </Banner>
  )
}

/** Opens the birthday of the profile. The draft stays. */
export function ToBirthday() {
  return (
    <Link to="/profile/#about" className={buttonLook({ variant: 'primary', size: 36 })}>
      {t('verification.to_birthday')}
    </Link>
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

/**
 * The address names the step (`#selfie`, `#check`), so that Back leads to the step before. If an earlier step lacks
 * something, as after a reload, the page goes back to the first incomplete step.
 */
function useStep(draft: VerificationDraft) {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const wanted = STEPS.findIndex((step) => getAddress(step) === hash)
  const open = STEPS.findIndex((step) => missingIn(step, draft) !== null)
  const last = open === -1 ? STEPS.length - 1 : open
  const index = Math.min(Math.max(wanted, 0), last)
  const step = STEPS[index]!
  const isElsewhere = wanted > index
  useEffect(() => {
    if (isElsewhere) void navigate({ hash: getAddress(step) }, { replace: true })
  }, [isElsewhere, navigate, step])
  return {
    step,
    /** Earlier steps precede this step in the history. */
    goTo(target: Step): void {
      const steps = STEPS.indexOf(target) - index
      if (steps > 0) void navigate({ hash: getAddress(target) })
      if (steps < 0) void navigate(steps)
    },
  }
}

function getAddress(step: Step): string {
  return step === 'document' ? '' : `#${step}`
}
