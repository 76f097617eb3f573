import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Member } from '../../../core/viewer.ts'
import { permission } from '../../../lib/refusal.ts'
import { nextMessageCharge } from '../../allowances/index.ts'
import { areBlocked } from '../../blocks/index.ts'
import type { ContactFields } from '../../profile/index.ts'
import { readLikes, rightsOfPair } from '../queries.ts'
import { decideWriting, payer, type WritingFacts } from '../rules.ts'
import { firstWritingFacts, writingFacts } from './writing-facts.ts'

/** The likes of a girl, and whether this viewer may write to her, for her page. */
export async function contactFields(
  app: App,
  viewer: Member | undefined,
  girlId: UserId,
): Promise<ContactFields> {
  const counted = await readLikes(app.db, viewer?.id ?? 0, girlId)
  if (viewer?.role !== 'guy') return counted
  const facts = await readFacts(app, viewer, girlId)
  const charge = await nextMessageCharge(app, app.db, { id: viewer.id, ...payer(facts) })
  const writing = decideWriting(facts, charge)
  const can_write = permission(writing.type === 'refused' ? writing.refusal : undefined)
  return { ...counted, can_write }
}

async function readFacts(app: App, guy: Member, girl_id: UserId): Promise<WritingFacts> {
  const rights = await rightsOfPair(app.db, guy.id, girl_id)
  if (rights) return writingFacts(app, rights, app.clock.now())
  const is_blocked = await areBlocked(app.db, guy.id, girl_id)
  return { ...firstWritingFacts(app, guy), is_blocked }
}
