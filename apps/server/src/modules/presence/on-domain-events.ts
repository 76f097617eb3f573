import type { DomainEvents } from '../../core/domain-events.ts'
import type { Tx } from '../../core/app.ts'
import { connect, disconnect } from './connections.ts'
import { presenceOf } from './memory-presence.ts'
import {
  publishHiding,
  publishOfflineTo,
  publishStatusSoon,
  recountSoon,
} from './status-updates.ts'

/** The connection of a new member was a guest's before, which is never shown as online. */
export async function connectAsMember(
  tx: Tx,
  { user_id }: DomainEvents['registered'],
): Promise<void> {
  tx.afterCommit(() => connect(tx.app, user_id))
}

/**
 * A banned member is offline to every follower at once, and online again after the ban. The member's page
 * follows no user from then on.
 */
export async function hideBanned(tx: Tx, { user_id }: DomainEvents['banned']): Promise<void> {
  tx.afterCommit(() => {
    if (presenceOf(tx.app).onlineRole(user_id) === 'girl')
      tx.app.realtime.broadcast('girls', 'update_status_girl', { user_id, status: 'offline' })
    disconnect(tx.app, user_id)
    tx.app.realtime.unsubscribeAll(user_id)
  })
}

export async function showUnbanned(tx: Tx, { user_id }: DomainEvents['unbanned']): Promise<void> {
  tx.afterCommit(() => connect(tx.app, user_id))
}

/** Shows each of the two as offline to the other, at once (P2). */
export async function hideBlocked(
  tx: Tx,
  { user_id, blocked_id }: DomainEvents['blocked'],
): Promise<void> {
  tx.afterCommit(() => {
    publishOfflineTo(tx.app, user_id, blocked_id)
    publishOfflineTo(tx.app, blocked_id, user_id)
  })
}

/** Publishes both statuses again; the two receive them if they still follow each other. */
export async function showUnblocked(
  tx: Tx,
  { user_id, blocked_id }: DomainEvents['unblocked'],
): Promise<void> {
  tx.afterCommit(() => {
    for (const id of [user_id, blocked_id]) {
      const role = presenceOf(tx.app).onlineRole(id)
      if (role) publishStatusSoon(tx.app, id, role)
    }
  })
}

/** Followers in the countries that a girl hides from see her offline at once (P2). */
export async function hideFromCountries(
  tx: Tx,
  { user_id }: DomainEvents['visibility_changed'],
): Promise<void> {
  tx.afterCommit(() => publishHiding(tx.app, user_id))
}

/** A verification or a new avatar lists a girl in the catalogue, or takes her out of it. */
export async function recount(tx: Tx, { user_id }: DomainEvents['member_updated']): Promise<void> {
  tx.afterCommit(() => recountSoon(tx.app, user_id))
}
