import type { ClientConnection } from '@duet/client'
import type { EventName } from '@duet/protocol'
import type { EventHandler } from '../feature.ts'
import type { ServerEvent } from './server-event.ts'

type RelayListener<Name extends EventName> = (event: ServerEvent<Name>) => void

/**
 * Passes events of a manifest on to a runtime that is loaded later. An event that arrives before the runtime subscribes is
 * dropped: the runtime starts from the own record, which the client has already updated.
 */
export interface EventRelay<Name extends EventName> {
  /** The manifest's handlers: one for each event of the relay. */
  readonly handlers: { readonly [Event in Name]: EventHandler<Event> }
  readonly subscribe: (connection: ClientConnection, listener: RelayListener<Name>) => void
}

export function createEventRelay<Name extends EventName>(
  ...names: readonly Name[]
): EventRelay<Name> {
  const listeners = new WeakMap<ClientConnection, RelayListener<Name>>()
  const handlerOf =
    (type: Name): EventHandler<Name> =>
    (payload, { connection }) =>
      listeners.get(connection)?.({ type, payload, at_ms: Date.now() } as ServerEvent<Name>)
  const handlers = Object.fromEntries(names.map((name) => [name, handlerOf(name)]))
  return {
    handlers: handlers as unknown as EventRelay<Name>['handlers'],
    subscribe: (connection, listener) => void listeners.set(connection, listener),
  }
}
