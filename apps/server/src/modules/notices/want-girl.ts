import type { Ack, Input } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { Member } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import { findMeetable } from '../blocks/index.ts'
import * as store from './store.ts'

/** Further wishes of a guy end the oldest wishes. */
const WANTED_MAX = 500

/** Stores or ends the wish to learn when a girl comes online. Repeating it changes nothing. */
export async function wantGirl(
  app: App,
  viewer: Member,
  { user_id, on }: Input<'WANT_GIRL'>,
): Promise<Ack<'WANT_GIRL'>> {
  await app.transact(async (tx) => {
    // A wish can end even though the girl hides by now.
    if (!on) return store.removeWanted(tx, viewer.id, user_id)
    const girl = await findMeetable(tx, viewer, user_id)
    if (girl.role !== 'girl') refuse('not_found')
    await store.addWanted(tx, viewer.id, girl.id, WANTED_MAX)
  })
  return {}
}
