import type { EventName, Payload } from '@duet/protocol'
import type { SignalHeard, SignalHeardName } from '@duet/protocol/contracts/signaling.ts'
import type { HiddenFrom } from '../../core/hiding.ts'
import type { UserId } from '../../core/ids.ts'
import { assert } from '../../lib/assert.ts'
import { createChannels } from './channels.ts'
import type { Connection, SocketIdentity } from '../../core/realtime.ts'
import type {
  ActiveConnection,
  ConnectionChange,
  LocalConnections,
  Realtime,
  TabIdentity,
} from '../../core/realtime.ts'

/** The sockets of one active connection. */
interface Registration {
  readonly user_id: UserId
  readonly login_id: number | null
  readonly tab_id: string
  main: Connection | undefined
  signal: Connection | undefined
}

type ConnectionListener = (change: ConnectionChange) => void
type ChangeReason = ConnectionChange['reason']

/** Realtime of one process. `onListenerError` gets what a listener throws; the other listeners still run. */
export function createMemoryRealtime(onListenerError: (error: unknown) => void): Realtime {
  return new MemoryRealtime(onListenerError)
}

/**
 * Every change of an active connection happens within one tick of the event loop, so takeovers cannot
 * interleave. A closing socket changes a registration only if the registration still contains that socket.
 * So the cleaning of an old socket never harms a new socket.
 */
class MemoryRealtime implements Realtime {
  readonly #registrations = new Map<UserId, Registration>()
  readonly #channels = createChannels()
  readonly #listeners = new Set<ConnectionListener>()
  readonly #onListenerError: (error: unknown) => void

  constructor(onListenerError: (error: unknown) => void) {
    this.#onListenerError = onListenerError
  }

  readonly local: LocalConnections = {
    activeConnection: (user_id) => findActiveConnection(this.#registrations.get(user_id)),
    mainConnection: (user_id) => this.#registrations.get(user_id)?.main,
    isConnected: (user_id) => this.#registrations.get(user_id)?.main !== undefined,
    connectedUsers: () => this.#connectedUsers(),
    onConnectionChange: (listener) => {
      this.#listeners.add(listener)
      return () => this.#listeners.delete(listener)
    },
    removeListeners: () => this.#listeners.clear(),
    socketClosed: (connection) => this.#socketClosed(connection),
  }

  async attach(connection: Connection, identity: SocketIdentity): Promise<void> {
    assert(connection.kind === 'main', 'only a main socket makes an active connection')
    // It closed while AUTH was being answered: it takes nothing over.
    if (!connection.isOpen) return
    if (connection.identity?.user_id !== identity.user_id) connection.dropHeld()
    this.#endFormerIdentity(connection, identity)
    const { user_id, login_id, tab_id } = identity
    const old = this.#registrations.get(user_id)
    const isSameTab = old?.tab_id === tab_id
    const isTakeover = old !== undefined && !isSameTab
    if (isTakeover) this.#end(old, 'takeover', (socket) => socket.disconnect())
    const replaced = isSameTab ? old.main : undefined
    const signal = isSameTab ? old.signal : undefined
    const registration: Registration = { user_id, login_id, tab_id, main: connection, signal }
    this.#registrations.set(user_id, registration)
    connection.identity = identity
    if (signal) signal.identity = identity
    if (replaced === connection) return
    if (replaced) {
      this.#channels.unsubscribeAll(replaced)
      replaced.identity = undefined
      replaced.close()
    }
    const reason = isTakeover ? 'takeover' : replaced ? 'same_tab' : 'first'
    this.#publish(registration, 'main', 'up', reason)
  }

  async attachSignal(connection: Connection, tab: TabIdentity): Promise<boolean> {
    const registration = this.#registrations.get(tab.user_id)
    const identity = registration?.main?.identity
    if (!connection.isOpen || !registration || !identity) return false
    if (registration.tab_id !== tab.tab_id || registration.login_id !== tab.login_id) return false
    const replaced = registration.signal
    registration.signal = connection
    connection.identity = identity
    if (replaced === connection) return true
    if (replaced) {
      replaced.identity = undefined
      replaced.close()
    }
    this.#publish(registration, 'signal', 'up', replaced ? 'same_tab' : 'first')
    return true
  }

  async detach(connection: Connection): Promise<void> {
    const { identity } = connection
    const registration = identity && this.#registrations.get(identity.user_id)
    if (registration?.main === connection) this.#endButKeepOpen(registration, connection)
    connection.identity = undefined
  }

  async endLogin({
    user_id,
    login_id,
    except_login_id,
  }: {
    user_id: UserId
    login_id?: number
    except_login_id?: number
  }): Promise<void> {
    const registration = this.#registrations.get(user_id)
    if (!registration || (login_id !== undefined && registration.login_id !== login_id)) return
    if (except_login_id !== undefined && registration.login_id === except_login_id) return
    this.#end(registration, 'ended', (socket) => socket.close())
  }

  async activeConnection(user_id: UserId): Promise<ActiveConnection | undefined> {
    return this.local.activeConnection(user_id)
  }

  async isConnected(user_id: UserId): Promise<boolean> {
    return this.local.isConnected(user_id)
  }

  send<E extends EventName>(user_id: UserId, event: E, payload: Payload<E>): void {
    this.#registrations.get(user_id)?.main?.send(event, payload as object)
  }

  sendSignal<E extends SignalHeardName>(user_id: UserId, event: E, payload: SignalHeard<E>): void {
    this.#registrations.get(user_id)?.signal?.send(event, payload)
  }

  subscribe(connection: Connection, channel: string): void {
    this.#channels.subscribe(connection, channel)
  }

  unsubscribe(connection: Connection, channel: string): void {
    this.#channels.unsubscribe(connection, channel)
  }

  unsubscribeAll(user_id: UserId): void {
    const main = this.#registrations.get(user_id)?.main
    if (main) this.#channels.unsubscribeAll(main)
  }

  broadcast<E extends EventName>(
    channel: string,
    event: E,
    payload: Payload<E>,
    to: { readonly except: HiddenFrom | undefined } | { readonly only: HiddenFrom } = {
      except: undefined,
    },
  ): void {
    for (const connection of this.#channels.subscribers(channel)) {
      const isSentTo =
        'only' in to ? isAmong(to.only, connection) : !to.except || !isAmong(to.except, connection)
      if (isSentTo) connection.send(event, payload as object)
    }
  }

  sendToSubscriber<E extends EventName>(
    channel: string,
    user_id: UserId,
    event: E,
    payload: Payload<E>,
  ): void {
    const main = this.#registrations.get(user_id)?.main
    if (main && this.#channels.isSubscribed(main, channel)) main.send(event, payload as object)
  }

  *#connectedUsers(): Iterable<UserId> {
    for (const [user_id, { main }] of this.#registrations) if (main) yield user_id
  }

  #publish(
    { user_id, tab_id }: Registration,
    socket: 'main' | 'signal',
    state: 'up' | 'down',
    reason: ChangeReason,
  ): void {
    const change = { user_id, tab_id, socket, state, reason }
    for (const listener of this.#listeners) {
      try {
        listener(change)
      } catch (error) {
        this.#onListenerError(error)
      }
    }
  }

  /** Ends an active connection; `shut` decides how the client sees its sockets close. */
  #end(
    registration: Registration,
    reason: ChangeReason,
    shut: (connection: Connection) => void,
  ): void {
    this.#registrations.delete(registration.user_id)
    const { main, signal } = registration
    registration.main = registration.signal = undefined
    for (const connection of [signal, main]) {
      if (!connection) continue
      this.#channels.unsubscribeAll(connection)
      connection.identity = undefined
      shut(connection)
    }
    if (signal) this.#publish(registration, 'signal', 'down', reason)
    if (main) this.#publish(registration, 'main', 'down', reason)
  }

  #endButKeepOpen(registration: Registration, kept: Connection): void {
    this.#end(registration, 'ended', (socket) => {
      if (socket !== kept) socket.close()
    })
  }

  /** A socket that authenticates as another user or tab ends its former identity. */
  #endFormerIdentity(connection: Connection, next: SocketIdentity): void {
    const former = connection.identity
    if (!former || (former.user_id === next.user_id && former.tab_id === next.tab_id)) return
    const registration = this.#registrations.get(former.user_id)
    if (registration?.main === connection) this.#endButKeepOpen(registration, connection)
  }

  #socketClosed(connection: Connection): void {
    this.#channels.unsubscribeAll(connection)
    const { identity } = connection
    const registration = identity && this.#registrations.get(identity.user_id)
    connection.identity = undefined
    if (!registration || registration[connection.kind] !== connection) return
    registration[connection.kind] = undefined
    if (!registration.main && !registration.signal) this.#registrations.delete(registration.user_id)
    this.#publish(registration, connection.kind, 'down', 'closed')
  }
}

function findActiveConnection(
  registration: Registration | undefined,
): ActiveConnection | undefined {
  if (!registration) return undefined
  const { user_id, login_id, tab_id, main, signal } = registration
  return { user_id, login_id, tab_id, main: main !== undefined, signal: signal !== undefined }
}

function isAmong({ users, countries }: HiddenFrom, { identity, country }: Connection): boolean {
  if (identity && users.has(identity.user_id)) return true
  return countries.size > 0 && (country === null || countries.has(country))
}
