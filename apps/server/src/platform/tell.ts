import { events, type EventName, type Payload } from '@duet/protocol'
import type { App, Reader, Tx, UserId } from '../context.ts'
import type { FactName, Facts } from '../domain-events.ts'
import { assert } from '../lib/assert.ts'
import type { Module } from './module.ts'

/** A durable change that waits for the end of its transaction to get its number. */
interface Told {
  readonly user_id: UserId
  readonly event: EventName
  readonly payload: object
  change_id: number
}

export interface Telling extends Pick<Tx, 'app' | 'tell' | 'fact'> {
  /** Writes what was told. The last thing before the commit. */
  keepTold(): Promise<void>
}

/** What the layers above the database add to a transaction. `tx` is complete when the functions are called. */
export function makeTell(app: App, modules: readonly Module[]): (tx: object) => Telling {
  const records = modules.find((module) => module.records)?.records
  const hearers = hearersOf(modules)
  return (of) => {
    const tx = of as Tx
    const changes: Told[] = []
    return {
      app,
      // A number locks its user to the commit: drawn last, and by everybody in one order, nobody waits long or in a circle.
      async keepTold() {
        for (const told of changes.toSorted((one, other) => one.user_id - other.user_id)) {
          told.change_id = await records!(tx, told.user_id, told.event, told.payload)
        }
      },
      async tell<E extends EventName>(user_id: UserId, event: E, payload: Payload<E>) {
        if (!events[event].durable) return tx.after(() => app.realtime.send(user_id, event, payload))
        assert(records, 'a durable event needs a change log')
        const told: Told = { user_id, event, payload: payload as object, change_id: 0 }
        changes.push(told)
        tx.after(async () => {
          // Rendered after commit, for its reader, as GET_CHANGES would; whoever is away will ask for it then.
          if (!app.realtime.isLive(user_id)) return
          const shown = await app.render(app.db, user_id, event, payload as object)
          app.realtime.send(user_id, event, { ...shown, change_id: told.change_id } as never)
        })
      },
      async fact<F extends FactName>(fact: F, said: Facts[F]) {
        for (const hear of hearers.get(fact) ?? []) await hear(tx, said as never)
      },
    }
  }
}

type Hear = (tx: Tx, said: never) => Promise<void>

function hearersOf(modules: readonly Module[]): Map<FactName, Hear[]> {
  const hearers = new Map<FactName, Hear[]>()
  for (const { hears } of modules) {
    for (const [fact, hear] of Object.entries(hears ?? {}) as [FactName, Hear][]) {
      hearers.set(fact, [...(hearers.get(fact) ?? []), hear])
    }
  }
  return hearers
}

type Render = (reader: Reader, viewer_id: UserId, stored: object, app: App) => Promise<object>

/** How a stored change is shown to its reader now: by the module that says so, else as it was stored. */
export async function renderFor(
  app: App,
  reader: Reader,
  viewer_id: UserId,
  event: string,
  stored: object,
): Promise<object> {
  for (const { renders } of app.modules) {
    const render = (renders as Readonly<Record<string, Render>> | undefined)?.[event]
    if (render) return render(reader, viewer_id, stored, app)
  }
  return stored
}
