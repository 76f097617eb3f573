import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { AppContext } from '../../../core/app.ts'
import type { Member } from '../../../core/viewer.ts'
import { isPremium } from '../../identity/index.ts'
import { setting } from '../../settings/index.ts'
import type { WritingFacts } from '../rules.ts'

/** The columns of the view `dialog_rights` that decide whether its user may write. */
export interface DialogRights {
  readonly writer: Role
  readonly premium_until: Temporal.Instant | null
  readonly is_gone: boolean
  readonly is_blocked: boolean
  readonly is_invited: boolean
  readonly has_answer: boolean
  readonly unanswered: number
}

/** Whether a user may write in a dialog: the facts of the view's row at this moment. */
export function writingFacts(
  context: AppContext,
  { premium_until, ...rights }: DialogRights,
  now: Temporal.Instant,
): WritingFacts {
  const { writer, is_blocked, is_gone, is_invited, has_answer, unanswered } = rights
  return {
    writer,
    is_blocked,
    is_gone,
    is_invited,
    has_answer,
    unanswered,
    is_premium: isPremium({ premium_until }, now),
    unanswered_max: setting(context, 'first_writes_unanswered'),
  }
}

/** The same of a guy and a girl without a dialog, who may see each other. */
export function firstWritingFacts(
  context: AppContext,
  { role, premium }: Pick<Member, 'role' | 'premium'>,
): WritingFacts {
  return {
    writer: role,
    is_premium: premium,
    is_blocked: false,
    is_gone: false,
    is_invited: false,
    has_answer: false,
    unanswered: 0,
    unanswered_max: setting(context, 'first_writes_unanswered'),
  }
}
