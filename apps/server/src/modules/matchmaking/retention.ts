import { deleteRows } from '../../platform/retention/retention-rule.ts'
import type { RetentionRule } from '../../core/retention-rule.ts'
import { setting } from '../settings/index.ts'

const MINUTES_A_DAY = 24 * 60

export const retention: readonly RetentionRule[] = [
  deleteRows('invitations', 'closed_at', (context) => setting(context, 'pair_days')),
  deleteRows('pairs', 'closed_at', (context) => setting(context, 'pair_days')),
  // The pairing rules look back over `rematch_minutes`.
  deleteRows('meetings', 'at', (context) =>
    Math.max(
      setting(context, 'meeting_days'),
      Math.ceil(setting(context, 'rematch_minutes') / MINUTES_A_DAY),
    ),
  ),
  deleteRows('absences', 'at', (context) => setting(context, 'absence_days')),
]
