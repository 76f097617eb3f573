import { events, type EventName, type Payload } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/tx.ts'
import type { DomainEventName, DomainEvents } from '../../core/domain-events.ts'
import { assert } from '../../lib/assert.ts'
import type { Module } from '../../core/module.ts'

/** A durable change that waits for the end of its transaction to get its number. */
interface PendingChange {
  readonly user_id: UserId
  readonly event: EventName
  readonly payload: object
  change_id: number
}

export interface NotifierExtension extends Pick<Tx, 'app' | 'notify' | 'publish'> {
  /** Writes what was told. The last thing before the commit. */
  flushChanges(): Promise<void>
}

/** What the layers above the database add to a transaction. `tx` is complete when the functions are called. */
export function createNotifier(
  app: App,
  modules: readonly Module[],
): (tx: object) => NotifierExtension {
  const records = modules.find((module) => module.appendChange)?.appendChange
  const hearers = subscribersOf(modules)
  return (of) => {
    const tx = of as Tx
    const changes: PendingChange[] = []
    return {
      app,
      // A number locks its user to the commit: drawn last, and by everybody in one order, nobody waits long or in a circle.
      async flushChanges() {
        for (const told of changes.toSorted((one, other) => one.user_id - other.user_id)) {
          told.change_id = await records!(tx, told.user_id, told.event, told.payload)
        }
      },
      async notify<E extends EventName>(user_id: UserId, event: E, payload: Payload<E>) {
        if (!events[event].durable)
          return tx.afterCommit(() => app.realtime.send(user_id, event, payload))
        assert(records, 'a durable event needs a change log')
        const told: PendingChange = { user_id, event, payload: payload as object, change_id: 0 }
        changes.push(told)
        tx.afterCommit(async () => {
          // Rendered after commit, for its reader, as GET_CHANGES would; whoever is away will ask for it then.
          if (!app.realtime.isConnected(user_id)) return
          const shown = await app.hooks.renderChange(app.db, user_id, event, payload as object)
          app.realtime.send(user_id, event, { ...shown, change_id: told.change_id } as never)
        })
      },
      async publish<F extends DomainEventName>(fact: F, said: DomainEvents[F]) {
        for (const hear of hearers.get(fact) ?? []) await hear(tx, said as never)
      },
    }
  }
}

type Hear = (tx: Tx, said: never) => Promise<void>

function subscribersOf(modules: readonly Module[]): Map<DomainEventName, Hear[]> {
  const hearers = new Map<DomainEventName, Hear[]>()
  for (const { subscribers: hears } of modules) {
    for (const [fact, hear] of Object.entries(hears ?? {}) as [DomainEventName, Hear][]) {
      hearers.set(fact, [...(hearers.get(fact) ?? []), hear])
    }
  }
  return hearers
}
