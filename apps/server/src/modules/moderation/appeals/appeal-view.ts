import type { Appeal } from '@duet/protocol/kernel/sanctions.ts'
import type { AppContext } from '../../../core/app.ts'
import { wireTime } from '../../../lib/clock.ts'
import { setting } from '../../settings/index.ts'
import type { AppealRow } from './appeal-store.ts'

/** The statements against which a user may appeal. */
const APPEALABLE: readonly string[] = [
  'ban',
  'suspension',
  'penalty',
  'warning',
  'call_end',
  'absence',
  'photo',
  'text',
  'gifts',
]

interface Appealable {
  readonly kind: string
  readonly at: Temporal.Instant
  readonly taken_back_at: Temporal.Instant | null
}

/** Whether a statement without an appeal can have one at this time. */
export function mayAppeal(app: AppContext, { kind, at, taken_back_at }: Appealable): boolean {
  if (taken_back_at !== null) return false
  const end = at.add({ hours: 24 * setting(app, 'appeal_days') })
  return APPEALABLE.includes(kind) && Temporal.Instant.compare(app.clock.now(), end) < 0
}

export function shownAppeal(row: AppealRow): Appeal {
  return {
    id: row.appeal_id,
    statement_id: row.statement_id,
    text: row.text,
    state: row.state as Appeal['state'],
    create_time: wireTime(row.created_at),
    ...(row.answer !== null && { answer: row.answer }),
    ...(row.decided_at && { decided_at: wireTime(row.decided_at) }),
  }
}
