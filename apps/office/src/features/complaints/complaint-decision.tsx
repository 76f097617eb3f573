import type { ComplaintCase } from '@duet/protocol'
import { Banner } from '@duet/ui/feedback/banner.tsx'
import { api } from '../../shared/api.ts'
import { UserDecision } from '../../shared/queue/user-decision.tsx'
import type { DecisionReasons } from '../../shared/sanctions/decision-fields.tsx'
import { useStaff } from '../../shared/session.tsx'
import { t } from '../../shared/texts.ts'
import '../../shared/sanctions/child-texts.ts'
import { AccusedCard } from './accused-card.tsx'

/** The rule and the ban that a complaint of this reason is most often about. */
const PROPOSED: Readonly<Record<string, DecisionReasons>> = {
  nudity: { rule: 'nudity_public', ban: 'nudity' },
  inappropriate: { rule: 'nudity_public', ban: 'sexual_actions' },
  gift_begging: { rule: 'asking_money', ban: 'asking_money' },
  fraud: { rule: 'asking_money', ban: 'asking_money' },
  spam: { rule: 'contacts', ban: 'other' },
  recording: { rule: 'bots_recordings', ban: 'video_material' },
  impersonation: { rule: 'foreign_account', ban: 'foreign_account' },
  child: { rule: 'third_parties', ban: 'child' },
  threats: { rule: 'harassment', ban: 'harassment' },
}

function proposeRemoval({ complaint, named }: ComplaintCase) {
  if (!named?.can_remove) return undefined
  const kind = named.media_id === null ? 'message' : 'picture'
  return { kind, isProposed: complaint.reason === 'intimate_image' } as const
}

/** The decision about the accused of a complaint. */
export function ComplaintDecisionForm({
  shown,
  onDecided,
}: {
  shown: ComplaintCase
  onDecided: () => void
}) {
  const { id, reason, accused, passed, for_managers } = shown.complaint
  const { role } = useStaff()
  // A manager decides, and a case is passed on once.
  const closed = role === 'moderator' && !passed ? undefined : t('office.pass.closed')
  const isManagers = role === 'moderator' && for_managers
  return (
    <UserDecision
      // A complaint that became one about a minor has other proposals.
      key={reason}
      disabled={isManagers}
      caseId={String(id)}
      user={accused}
      reasons={PROPOSED[reason] ?? { rule: 'other', ban: 'other' }}
      removal={proposeRemoval(shown)}
      send={(given, remove) =>
        api.post('v2/manager/complaints/{id}/decide', { id, ...given, remove })
      }
      pass={{
        closed,
        send: (note) => api.post('v2/manager/complaints/{id}/pass', { id, note }),
      }}
      onDecided={onDecided}
    >
      {isManagers && <Banner>{t('office.raise.managers')}</Banner>}
      {passed && <Banner>{t('office.pass.noted', passed)}</Banner>}
      <AccusedCard shown={shown} />
    </UserDecision>
  )
}
