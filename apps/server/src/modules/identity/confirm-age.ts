import type { Answer, Body } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { notifyUserInfo } from './own-record.ts'
import { userById } from './users/queries.ts'
import { changeUser } from './users/store.ts'
import { writeGuestRow } from './guests/connection-attributes.ts'

/** The version of the terms that a confirmation is stored with; raise it when their text changes. */
export const TERMS_VERSION = '2026-11'

/** Stores the confirmation of age and terms. Repeating it for the same version changes nothing that was stored. */
export async function confirmAge(
  app: App,
  viewer: Guest | Member,
  _input: Body<'POST age/confirm'>,
  context: RequestContext,
): Promise<Answer<'POST age/confirm'>> {
  await app.transact(async (tx) => {
    if (viewer.kind === 'guest') await writeGuestRow(tx, viewer, context)
    const row = await userById(tx, viewer.id)
    if (row?.age_confirmed_at && row.terms_version === TERMS_VERSION) return
    await changeUser(tx, viewer.id, { age_confirmed_at: tx.now, terms_version: TERMS_VERSION })
    await tx.publish('member_updated', { user_id: viewer.id })
    await notifyUserInfo(tx, viewer.id)
  })
  return {}
}
