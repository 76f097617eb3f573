import { api } from '../../shared/api.ts'
import type { GivenVerdict } from '../../shared/queue/verdict-form.tsx'
import { textOr } from '../../shared/texts.ts'

/** The decision about a picture, as it is kept until it is sent. */
export function photoDecision(id: string, { choice, comment }: GivenVerdict) {
  const given =
    choice === 'approve' ? { approve: true } : { approve: false, verdict: choice, reason: comment }
  return {
    id,
    says: textOr(`office.verdict.${choice}`, choice),
    send: () => api.post('v2/manager/photos/{id}/decide', { id, ...given }),
  }
}
