import type { Answer, Body } from '@duet/protocol'
import type { App, Tx } from '../../core/app.ts'
import type { Staff } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import { writeAudit } from '../audit/index.ts'
import { browserById, browserIds, putBrowser, removeBrowser } from './push-store.ts'

export const STAFF_PUSH = 'staff_push'
/** An alarm is repeated each hour. */
const TTL_SECONDS = 3600
const TOPIC = 'office'

/** POST v2/manager/push. Repeating it changes nothing. Refuses method_unavailable. */
export async function changePush(
  app: App,
  staff: Staff,
  { subscription, on }: Body<'POST v2/manager/push'>,
): Promise<Answer<'POST v2/manager/push'>> {
  const target = { endpoint: subscription.endpoint, ...subscription.keys }
  // The server calls this address: it must be one of a push service.
  if (on && !app.push.isAccepted(target)) refuse('method_unavailable')
  await app.transact(async (tx) => {
    if (on) await putBrowser(tx, staff.id, target)
    else await removeBrowser(tx, staff.id, target.endpoint)
    await writeAudit(tx, { staff, act: 'push_change', facts: { on } })
  })
  return {}
}

/** Sends a line to the browsers of these members. It stands on lock screens, so it must not say anything about a case. */
export async function pushToStaff(
  tx: Tx,
  staffIds: readonly number[],
  { body, key }: { readonly body: string; readonly key: string },
): Promise<void> {
  for (const push_id of await browserIds(tx, staffIds))
    await tx.enqueue(STAFF_PUSH, { push_id, body }, `${key}:push:${push_id}`)
}

/** Work of the outbox. It is repeated while nothing answers. */
export async function deliverStaffPush(
  app: App,
  { push_id, body }: { readonly push_id: number; readonly body: string },
): Promise<void> {
  const target = await browserById(app.db, push_id)
  if (!target) return
  const outcome = await app.push.send(target, {
    topic: TOPIC,
    ttl_seconds: TTL_SECONDS,
    urgency: 'high',
    payload: JSON.stringify({ title: 'Duet', body }),
  })
  if (outcome === 'gone')
    await app.transact((tx) => removeBrowser(tx, target.staff_id, target.endpoint))
  if (outcome === 'unreachable') throw new Error('Nothing answers at the address of the browser')
  if (outcome === 'refused' || outcome === 'forbidden')
    app.log.error('a push service refused a message: check the keys of push messages')
}
