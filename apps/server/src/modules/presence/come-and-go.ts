import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/tx.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import { plusMs } from '../../lib/clock.ts'
import type { ConnectionChange } from '../../platform/realtime/realtime.ts'
import { userNow } from '../identity/index.ts'
import { tellGone, tellSoon } from './news.ts'
import { doing, port, type Doing } from './status.ts'

/** A reload is no departure: a person is away after this. */
const away_after_ms = 5000

/** Search and calls say what somebody is doing, here or not; nobody sees it of who is not here. */
export function setDoing(app: App, user_id: UserId, now: Doing): void {
  if (doing(app, user_id) === now) return
  const { people, doings } = port(app)
  if (now === 'free') doings.delete(user_id)
  else doings.set(user_id, now)
  const present = people.get(user_id)
  if (present) tellSoon(app, user_id, present.role)
}

/** Follows every line of this process for as long as the app runs. */
export async function follow(app: App): Promise<() => void> {
  return app.realtime.onConnectionChange((change) => {
    if (change.socket !== 'main') return
    heard(app, change).catch((error: unknown) =>
      app.log.error({ err: error }, 'a presence could not be kept'),
    )
  })
}

async function heard(app: App, { user_id, state, reason: why }: ConnectionChange): Promise<void> {
  if (state === 'up') return come(app, user_id)
  return why === 'ended' ? leave(app, user_id) : leaveSoon(app, user_id)
}

async function come(app: App, user_id: UserId): Promise<void> {
  const { people } = port(app)
  const row = await userNow(app, user_id)
  // A guest is nobody's to see. The line may have gone while the row was read.
  if (!row?.role || !app.realtime.isConnected(user_id)) return
  const present = people.get(user_id)
  if (present) {
    present.leaving?.()
    delete present.leaving
    return
  }
  const role = row.role as Role
  people.set(user_id, { role })
  if (role === 'girl') port(app).women += 1
  tellSoon(app, user_id, role)
}

function leaveSoon(app: App, user_id: UserId): void {
  const present = port(app).people.get(user_id)
  if (!present || app.realtime.isConnected(user_id)) return
  present.leaving?.()
  present.leaving = app.clock.at(plusMs(app.clock.now(), away_after_ms), () => {
    if (!app.realtime.isConnected(user_id)) leave(app, user_id)
  })
}

function leave(app: App, user_id: UserId): void {
  const { people } = port(app)
  const present = people.get(user_id)
  if (!present) return
  present.leaving?.()
  people.delete(user_id)
  if (present.role === 'girl') port(app).women -= 1
  tellSoon(app, user_id, present.role)
}

/** Whose line was a guest's a moment ago is somebody to see now. */
export async function comeAsMember(tx: Tx, { user_id }: DomainEvents['registered']): Promise<void> {
  tx.afterCommit(() => come(tx.app, user_id))
}

/** Each is gone for the other at once, whoever looked before. */
export async function hideFromEachOther(
  tx: Tx,
  { user_id, blocked_id }: DomainEvents['blocked'],
): Promise<void> {
  tx.afterCommit(() => {
    tellGone(tx.app, user_id, blocked_id)
    tellGone(tx.app, blocked_id, user_id)
  })
}

/** Whoever still follows learns what he may see again. */
export async function showAgain(
  tx: Tx,
  { user_id, blocked_id }: DomainEvents['unblocked'],
): Promise<void> {
  tx.afterCommit(() => {
    for (const id of [user_id, blocked_id]) {
      const present = port(tx.app).people.get(id)
      if (present) tellSoon(tx.app, id, present.role)
    }
  })
}
