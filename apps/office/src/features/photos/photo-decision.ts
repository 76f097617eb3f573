import type { PhotoVerdict } from '@duet/protocol/kernel/sanctions.ts'
import { api } from '../../shared/api.ts'
import { textOr } from '../../shared/texts.ts'

export type PhotoChoice = 'approve' | PhotoVerdict

/** The decision about a picture, as it is kept until it is sent. */
export function photoDecision(id: string, choice: PhotoChoice) {
  const given = choice === 'approve' ? { approve: true } : { approve: false, verdict: choice }
  return {
    id,
    says: textOr(`office.verdict.${choice}`, choice),
    send: () => api.post('v2/manager/photos/{id}/decide', { id, ...given }),
  }
}
