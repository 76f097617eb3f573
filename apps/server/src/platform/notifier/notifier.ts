import { events, type EventName, type Payload } from '@duet/protocol'
import type { App, Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { DomainEventName, DomainEvents } from '../../core/domain-events.ts'
import type { StoredChange } from '../../core/stored-change.ts'
import { assert } from '../../lib/assert.ts'
import type { LastStatement } from '../database/transact.ts'
import type { Module } from '../../core/module.ts'
import { type AppendedChange, changeLog } from './change-log.ts'

/** A durable event that gets its number at the end of its transaction. */
interface PendingChange extends AppendedChange {
  change_id: number
}

export interface NotifierExtension extends Pick<Tx, 'app' | 'notify' | 'publish' | 'afterCommit'> {
  /**
   * The statement that writes the durable events of this transaction to the change logs. Undefined without
   * durable events. The statement is sent last, because a change number locks its user's log until the
   * commit.
   */
  lastStatement(): LastStatement | undefined
}

/**
 * Creates the parts of a transaction for notifications and domain events. The added functions are called
 * after the transaction has all its other parts.
 */
export function createNotifier(
  app: App,
  modules: readonly Module[],
): (tx: object) => NotifierExtension {
  const log = changeLog.get(app)
  const subscribers = collectSubscribers(modules)
  return (transaction) => {
    const tx = transaction as Tx
    const changes: PendingChange[] = []
    const addEffect = tx.afterCommit
    // The changes since the last other effect. A later change may show what that effect did.
    let group: RenderedTogether | undefined
    return {
      app,
      afterCommit(effect) {
        group = undefined
        addEffect(effect)
      },
      lastStatement() {
        if (changes.length === 0) return undefined
        const { query, numbersFrom } = log!.append(tx, changes)
        for (const user_id of new Set(changes.map((change) => change.user_id)))
          tx.inDoubt(() => log!.resendLast(app, user_id))
        return {
          query,
          read(rows) {
            const numbers = numbersFrom(rows as never)
            changes.forEach((change, at) => (change.change_id = numbers[at]!))
          },
        }
      },
      async notify<E extends EventName>(
        user_id: UserId,
        event: E,
        payload: StoredChange<E>,
        shown?: Payload<E>,
      ) {
        if (!events[event].durable)
          // Only durable events have another stored form.
          return addEffect(() => app.realtime.send(user_id, event, payload as Payload<E>))
        assert(log, 'a durable event needs a change log')
        const change: PendingChange = { user_id, event, payload: payload as object, change_id: 0 }
        changes.push(change)
        if (shown) return addEffect(() => sendRendered(app, change, shown))
        const rendered = (group ??= renderedTogether(app)).add(change)
        addEffect(async () => sendRendered(app, change, await rendered()))
      },
      async publish<F extends DomainEventName>(name: F, event: DomainEvents[F]) {
        for (const subscriber of subscribers.get(name) ?? []) await subscriber(tx, event as never)
      },
    }
  }
}

interface RenderedTogether {
  /** Returns how to get the payload of the change, after the commit. */
  add(change: PendingChange): () => Promise<object | undefined>
}

/** Renders many changes at once, so that their reads share statements; each is sent in its turn. */
function renderedTogether(app: App): RenderedTogether {
  const changes: PendingChange[] = []
  let rendering: Map<PendingChange, Promise<object | undefined>> | undefined
  return {
    add(change) {
      changes.push(change)
      return () => {
        rendering ??= new Map(changes.map((one) => [one, renderedAttempt(app, one)]))
        return rendering.get(change)!
      }
    },
  }
}

/** Renders the change as GET_CHANGES would, after the commit. A user who is offline fetches it on return. */
async function renderedAttempt(
  app: App,
  { user_id, event, payload }: PendingChange,
): Promise<object | undefined> {
  try {
    if (!(await app.realtime.isConnected(user_id))) return undefined
    const [rendered] = await app.hooks.renderChanges(app.db, user_id, event, [payload])
    return rendered
  } catch (error) {
    // The next change shows the page the gap in the numbers, and the page fetches this change.
    app.log.error({ err: error, event, user_id }, 'a change could not be rendered')
    return undefined
  }
}

function sendRendered(
  app: App,
  { user_id, event, change_id }: PendingChange,
  shown: object | undefined,
): void {
  if (shown) app.realtime.send(user_id, event, { ...shown, change_id } as never)
}

type Subscriber = (tx: Tx, event: never) => Promise<void>

function collectSubscribers(modules: readonly Module[]): Map<DomainEventName, Subscriber[]> {
  const byName = new Map<DomainEventName, Subscriber[]>()
  for (const { subscribers = {} } of modules) {
    for (const [name, subscriber] of Object.entries(subscribers) as [DomainEventName, Subscriber][])
      byName.set(name, [...(byName.get(name) ?? []), subscriber])
  }
  return byName
}
