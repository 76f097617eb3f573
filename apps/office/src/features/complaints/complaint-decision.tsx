import type { ComplaintCase } from '@duet/protocol'
import { api } from '../../shared/api.ts'
import { UserDecision } from '../../shared/queue/user-decision.tsx'
import { AccusedCard } from './accused-card.tsx'

/** The rule and the ban that a complaint of this reason is most often about. */
const PROPOSED: Readonly<Record<string, { rule: string; ban: string }>> = {
  nudity: { rule: 'nudity_public', ban: 'nudity' },
  inappropriate: { rule: 'nudity_public', ban: 'sexual_actions' },
  gift_begging: { rule: 'asking_money', ban: 'other' },
  fraud: { rule: 'asking_money', ban: 'other' },
  spam: { rule: 'contacts', ban: 'other' },
  recording: { rule: 'bots_recordings', ban: 'video_material' },
  impersonation: { rule: 'foreign_account', ban: 'foreign_account' },
  child: { rule: 'third_parties', ban: 'other' },
  threats: { rule: 'harassment', ban: 'other' },
}

/** The decision about the accused of a complaint. */
export function ComplaintDecisionForm({
  shown,
  onDecided,
}: {
  shown: ComplaintCase
  onDecided: () => void
}) {
  const { id, reason, accused } = shown.complaint
  return (
    <UserDecision
      caseId={String(id)}
      user={accused}
      reasons={PROPOSED[reason] ?? { rule: 'other', ban: 'other' }}
      send={(given) => api.post('v2/manager/complaints/{id}/decide', { id, ...given })}
      onDecided={onDecided}
    >
      <AccusedCard shown={shown} />
    </UserDecision>
  )
}
