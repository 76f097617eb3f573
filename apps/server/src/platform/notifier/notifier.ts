import { events, type EventName, type Payload } from '@duet/protocol'
import type { App, Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { DomainEventName, DomainEvents } from '../../core/domain-events.ts'
import { assert } from '../../lib/assert.ts'
import type { Module } from '../../core/module.ts'

/** A durable event that gets its number at the end of its transaction. */
interface PendingChange {
  readonly user_id: UserId
  readonly event: EventName
  readonly payload: object
  change_id: number
}

export interface NotifierExtension extends Pick<Tx, 'app' | 'notify' | 'publish'> {
  /** Writes the durable events of this transaction to the change logs; the last write before the commit. */
  flushChanges(): Promise<void>
}

/**
 * Creates what notifications and domain events add to a transaction. The functions that it adds are called after the
 * transaction has all of its other parts.
 */
export function createNotifier(
  app: App,
  modules: readonly Module[],
): (tx: object) => NotifierExtension {
  const appendChange = modules.find((module) => module.appendChange)?.appendChange
  const subscribers = subscribersOf(modules)
  return (transaction) => {
    const tx = transaction as Tx
    const changes: PendingChange[] = []
    return {
      app,
      // A change number locks its user's log until the commit. Numbers are taken last and by all transactions in the order
      // of user ids, so that the lock is short and two transactions never wait for each other.
      async flushChanges() {
        for (const change of changes.toSorted((one, other) => one.user_id - other.user_id))
          change.change_id = await appendChange!(tx, change.user_id, change.event, change.payload)
      },
      async notify<E extends EventName>(user_id: UserId, event: E, payload: Payload<E>) {
        if (!events[event].durable)
          return tx.afterCommit(() => app.realtime.send(user_id, event, payload))
        assert(appendChange, 'a durable event needs a change log')
        const change: PendingChange = { user_id, event, payload: payload as object, change_id: 0 }
        changes.push(change)
        tx.afterCommit(() => sendChange(app, change))
      },
      async publish<F extends DomainEventName>(name: F, event: DomainEvents[F]) {
        for (const subscriber of subscribers.get(name) ?? []) await subscriber(tx, event as never)
      },
    }
  }
}

/** Renders the change as GET_CHANGES would, after the commit. A user who is offline fetches it on return. */
async function sendChange(app: App, { user_id, event, payload, change_id }: PendingChange) {
  if (!(await app.realtime.isConnected(user_id))) return
  const shown = await app.hooks.renderChange(app.db, user_id, event, payload)
  app.realtime.send(user_id, event, { ...shown, change_id } as never)
}

type Subscriber = (tx: Tx, event: never) => Promise<void>

function subscribersOf(modules: readonly Module[]): Map<DomainEventName, Subscriber[]> {
  const byName = new Map<DomainEventName, Subscriber[]>()
  for (const { subscribers = {} } of modules) {
    for (const [name, subscriber] of Object.entries(subscribers) as [DomainEventName, Subscriber][])
      byName.set(name, [...(byName.get(name) ?? []), subscriber])
  }
  return byName
}
