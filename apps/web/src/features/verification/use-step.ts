import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { missingIn, STEPS, type Step, type VerificationDraft } from './verification-draft.ts'

/**
 * The address names the step (`#selfie`, `#check`), so that Back leads to the step before. If an earlier step lacks
 * something, as after a reload, the page goes back to the first incomplete step.
 */
export function useStep(draft: VerificationDraft) {
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
