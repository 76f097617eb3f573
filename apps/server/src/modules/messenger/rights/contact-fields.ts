import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Member } from '../../../core/viewer.ts'
import { permission } from '../../../lib/refusal.ts'
import { areBlocked } from '../../blocks/index.ts'
import type { ContactFields } from '../../profile/index.ts'
import { likesOf, rightsOfPair } from '../queries.ts'
import { decideWriting, type WritingFacts } from '../rules.ts'
import { fundsOf } from '../views.ts'
import { firstWritingFacts, writingFacts } from './writing-facts.ts'

/** The likes of a girl, and whether this viewer may write to her, for her page. */
export async function contactFields(
  app: App,
  viewer: Member | undefined,
  girlId: UserId,
): Promise<ContactFields> {
  const counted = await likesOf(app.db, viewer?.id ?? 0, girlId)
  if (viewer?.role !== 'guy') return counted
  const facts = await factsOf(app, viewer, girlId)
  const funds = await fundsOf(app, app.db, viewer.id, { role: 'guy', is_premium: viewer.premium })
  const writing = decideWriting(facts, funds)
  const can_write = permission('refusal' in writing ? writing.refusal : undefined)
  return { ...counted, can_write }
}

async function factsOf(app: App, guy: Member, girl_id: UserId): Promise<WritingFacts> {
  const rights = await rightsOfPair(app.db, guy.id, girl_id)
  if (rights) return writingFacts(app, rights, app.clock.now())
  const is_blocked = await areBlocked(app.db, guy.id, girl_id)
  return { ...firstWritingFacts(app, guy), is_blocked }
}
