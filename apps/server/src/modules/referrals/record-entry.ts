import type { Answer, Body } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Viewer } from '../../core/viewer.ts'
import { getDevice } from '../client-signals/index.ts'
import { userIdByRefCode } from '../identity/index.ts'
import * as store from './store.ts'

/**
 * Counts a visitor for the inviter whose link the visitor used, once. An unknown code gets the same answer, so that codes
 * cannot be tried here.
 */
export async function recordEntry(
  app: App,
  viewer: Viewer,
  { rc, for: invites = 'guys' }: Body<'POST sponsored'>,
  context: RequestContext,
): Promise<Answer<'POST sponsored'>> {
  if (rc === undefined || viewer.kind === 'member') return {}
  const inviter_id = await userIdByRefCode(app.db, rc)
  if (inviter_id === undefined) return {}
  const visitor = getDevice(app, { address: context.address, fingerprint: null })
  await app.transact(async (tx) => {
    if (!(await store.insertVisit(tx, inviter_id, visitor))) return
    const kind = invites === 'girls' ? ('girl' as const) : ('guy' as const)
    await store.addTotal(tx, { inviter_id, kind }, { invited: 1 })
  })
  return {}
}
