import { refusals } from '@duet/protocol/kernel/refusals.ts'
import type { App } from '../../core/app.ts'
import type { ContactFields } from '../../core/hooks.ts'
import type { UserId } from '../../core/ids.ts'
import type { Member } from '../../core/viewer.ts'
import { areBlocked } from '../blocks/index.ts'
import { setting } from '../settings/index.ts'
import { pairRights } from './queries.ts'
import { decideWriting } from './rules.ts'
import { fundsOf } from './views.ts'

/** The likes of a girl, and whether this viewer may write to her, for her page. */
export async function contactFields(
  app: App,
  viewer: Member | undefined,
  girlId: UserId,
): Promise<ContactFields> {
  const rights = await pairRights(app.db, viewer?.id ?? 0, girlId)
  const counted = { likes: rights.likes, liked: rights.liked }
  if (viewer?.role !== 'guy') return counted
  const facts = {
    ...({ writer: 'guy', is_gone: false, is_premium: viewer.premium } as const),
    is_blocked: await areBlocked(app.db, viewer.id, girlId),
    is_invited: rights.is_invited,
    ...{ has_answer: false, unanswered: 0 },
    unanswered_max: setting(app, 'first_writes_unanswered'),
  }
  const funds = await fundsOf(app, app.db, viewer.id, { role: 'guy', is_premium: viewer.premium })
  const writing = decideWriting(facts, funds)
  const can_write =
    'refusal' in writing
      ? { allowed: false, code: refusals[writing.refusal].code }
      : { allowed: true }
  return { ...counted, can_write }
}
