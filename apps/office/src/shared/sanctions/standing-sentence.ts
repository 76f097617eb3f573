import type { StandingSanction } from '@duet/protocol/kernel/sanctions.ts'
import { t, textOr } from '../texts.ts'
import { shortTime } from '../times.ts'

/** After a ban was taken back: the other act under which the person stays. Undefined: there is none. */
export function standingSentence(standing: StandingSanction | undefined): string | undefined {
  if (!standing) return undefined
  const { statement_id: id, kind, until, reason: code } = standing
  if (kind === 'suspension') return t('office.standing.suspended', { id })
  const reason = textOr(`office.reason.${code}`, code)
  return until === null
    ? t('office.standing.endless', { id, reason })
    : t('office.standing.until', { id, reason, until: shortTime(until) })
}
