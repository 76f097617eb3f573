import type { EventName, Payload } from '@duet/protocol'
import type { SignalHeard, SignalHeardName } from '@duet/protocol/contracts/signaling.ts'
import type { UserId } from '../../core/ids.ts'
import { assert } from '../../lib/assert.ts'
import type { Connection, SocketIdentity } from './connection.ts'
import type { ActiveConnection, ConnectionChange, Realtime } from './realtime.ts'
import { createChannels } from './channels.ts'

interface Holder {
  readonly user_id: UserId
  readonly login_id: number | null
  readonly tab_id: string
  main: Connection | undefined
  signal: Connection | undefined
}

type Reason = ConnectionChange['reason']

/**
 * Realtime of one process. Every change of a line happens in one turn of the event loop, so takeovers cannot interleave;
 * a closing socket touches only what still names it, so the cleanup of an old one never harms the new one.
 */
export function createMemoryRealtime(report: (error: unknown) => void): Realtime {
  const lines = new Map<UserId, Holder>()
  const rooms = createChannels()
  const listeners = new Set<(change: ConnectionChange) => void>()

  function say(
    holder: Holder,
    socket: 'main' | 'signal',
    state: 'up' | 'down',
    reason: Reason,
  ): void {
    const change = {
      user_id: holder.user_id,
      tab_id: holder.tab_id,
      socket,
      state,
      reason,
      takeover: reason === 'takeover',
    }
    for (const hear of listeners) {
      try {
        hear(change)
      } catch (error) {
        report(error)
      }
    }
  }

  /** Ends what the holder has open; `shut` decides how the client sees it. */
  function end(holder: Holder, why: Reason, shut: (connection: Connection) => void): void {
    lines.delete(holder.user_id)
    const { main, signal } = holder
    holder.main = holder.signal = undefined
    for (const connection of [signal, main]) {
      if (!connection) continue
      rooms.leaveAll(connection)
      connection.identity = undefined
      shut(connection)
    }
    if (signal) say(holder, 'signal', 'down', why)
    if (main) say(holder, 'main', 'down', why)
  }

  function leaveFormer(connection: Connection, next: SocketIdentity): void {
    const former = connection.identity
    if (!former || (former.user_id === next.user_id && former.tab_id === next.tab_id)) return
    const holder = lines.get(former.user_id)
    if (holder?.main !== connection) return
    end(holder, 'ended', (one) => one !== connection && one.close())
  }

  function attach(connection: Connection, identity: SocketIdentity): void {
    assert(connection.kind === 'main', 'only a main socket holds a line')
    // Gone while AUTH was looked into: it takes nothing over.
    if (!connection.isOpen) return
    leaveFormer(connection, identity)
    const { user_id, login_id, tab_id } = identity
    const old = lines.get(user_id)
    const sameTab = old?.tab_id === tab_id
    const took_over = old !== undefined && !sameTab
    if (took_over) end(old, 'takeover', (one) => one.disconnect())
    const replaced = sameTab ? old.main : undefined
    const signal = sameTab ? old.signal : undefined
    const holder: Holder = { user_id, login_id, tab_id, main: connection, signal }
    lines.set(user_id, holder)
    connection.identity = identity
    if (signal) signal.identity = identity
    if (replaced === connection) return
    if (replaced) {
      rooms.leaveAll(replaced)
      replaced.identity = undefined
      replaced.close()
    }
    say(holder, 'main', 'up', took_over ? 'takeover' : replaced ? 'same_tab' : 'first')
  }

  function attachSignal(
    connection: Connection,
    of: { user_id: UserId; login_id: number | null; tab_id: string },
  ): boolean {
    const holder = lines.get(of.user_id)
    const identity = holder?.main?.identity
    if (
      !connection.isOpen ||
      !holder ||
      !identity ||
      holder.tab_id !== of.tab_id ||
      holder.login_id !== of.login_id
    )
      return false
    const replaced = holder.signal
    holder.signal = connection
    connection.identity = identity
    if (replaced === connection) return true
    if (replaced) {
      replaced.identity = undefined
      replaced.close()
    }
    say(holder, 'signal', 'up', replaced ? 'same_tab' : 'first')
    return true
  }

  function lost(connection: Connection): void {
    rooms.leaveAll(connection)
    const holder = connection.identity && lines.get(connection.identity.user_id)
    connection.identity = undefined
    if (!holder || holder[connection.kind] !== connection) return
    holder[connection.kind] = undefined
    if (!holder.main && !holder.signal) lines.delete(holder.user_id)
    say(holder, connection.kind, 'down', 'closed')
  }

  return {
    attach: async (connection, identity) => attach(connection, identity),
    attachSignal: async (connection, of) => attachSignal(connection, of),
    async detach(connection) {
      const holder = connection.identity && lines.get(connection.identity.user_id)
      if (holder?.main === connection)
        end(holder, 'ended', (one) => one !== connection && one.close())
      connection.identity = undefined
    },
    async endLogin({ user_id, login_id, except_login_id }) {
      const holder = lines.get(user_id)
      if (!holder || (login_id !== undefined && holder.login_id !== login_id)) return
      if (except_login_id !== undefined && holder.login_id === except_login_id) return
      end(holder, 'ended', (one) => one.close())
    },
    activeConnection: (user_id) => lineOf(lines.get(user_id)),
    isConnected: (user_id) => lines.get(user_id)?.main !== undefined,
    *connectedUsers() {
      for (const [user_id, { main }] of lines) if (main) yield user_id
    },
    send<E extends EventName>(user_id: UserId, event: E, payload: Payload<E>) {
      lines.get(user_id)?.main?.send(event, payload as object)
    },
    sendSignal<E extends SignalHeardName>(user_id: UserId, event: E, payload: SignalHeard<E>) {
      lines.get(user_id)?.signal?.send(event, payload)
    },
    subscribe: rooms.enter,
    unsubscribe: rooms.leave,
    *members(room) {
      for (const { identity } of rooms.in(room)) if (identity) yield identity.user_id
    },
    broadcast<E extends EventName>(
      room: string,
      event: E,
      payload: Payload<E>,
      except?: ReadonlySet<UserId>,
    ) {
      for (const connection of rooms.in(room)) {
        if (except && connection.identity && except.has(connection.identity.user_id)) continue
        connection.send(event, payload as object)
      }
    },
    onConnectionChange(hear) {
      listeners.add(hear)
      return () => listeners.delete(hear)
    },
    removeListeners: () => listeners.clear(),
    socketClosed: lost,
  }
}

function lineOf(holder: Holder | undefined): ActiveConnection | undefined {
  if (!holder) return undefined
  const { user_id, login_id, tab_id, main, signal } = holder
  return { user_id, login_id, tab_id, main: main !== undefined, signal: signal !== undefined }
}
