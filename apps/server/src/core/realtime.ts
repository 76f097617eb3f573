import type { EventName, Payload } from '@duet/protocol'
import type { SignalHeard, SignalHeardName } from '@duet/protocol/contracts/signaling.ts'
import type { HiddenFrom } from './hiding.ts'
import type { UserId } from './ids.ts'
import type { Viewer } from './viewer.ts'

/** The user, login and tab of a socket after AUTH. */
export interface SocketIdentity {
  readonly user_id: UserId
  /** Null for a guest. */
  readonly login_id: number | null
  readonly tab_id: string
  /** The viewer at AUTH. For a guest without a row there is nothing else. */
  readonly viewer: Viewer
}

/** One open socket, main or signaling: its identity, and how to write to it. */
export interface Connection {
  readonly id: string
  readonly kind: 'main' | 'signal'
  readonly address: string
  readonly country: string | null
  readonly region: string | null
  readonly user_agent: string
  identity: SocketIdentity | undefined
  /** False once either side has closed it. */
  readonly isOpen: boolean
  /** Sends an event. A slow reader loses it and finds it by GET_CHANGES. */
  send(event: string, payload: object): void
  /** Holds events until `sendAuthSuccess` or `releaseHeld`: nothing may reach a client before its auth_success. */
  hold(): void
  /** Sends auth_success, switches to its `cipher_key`, then sends the held events. */
  sendAuthSuccess(payload: object & { readonly cipher_key?: string | undefined }): void
  /**
   * Drops the held events when another user takes the socket over. The events are in the log of the former
   * user.
   */
  dropHeld(): void
  /** After a failed AUTH: sends the held events, which belong to the identity that stays. */
  releaseHeld(): void
  /** Closes the transport: the client reconnects by itself. */
  close(): void
  /** Sends `io server disconnect`, after which the client does not reconnect: another tab or device took over. */
  disconnect(): void
}

/** A user's one active connection: the tab that holds it and which of its sockets are open. */
export interface ActiveConnection {
  readonly user_id: UserId
  readonly login_id: number | null
  readonly tab_id: string
  readonly main: boolean
  readonly signal: boolean
}

/** A socket of an active connection opened or closed. */
export interface ConnectionChange {
  readonly user_id: UserId
  readonly socket: 'main' | 'signal'
  readonly state: 'up' | 'down'
  readonly tab_id: string
  /**
   * Reasons of up: `first`. `same_tab`: the page reconnected before its old socket was found closed.
   * `takeover`: another tab or device. Reasons of down: `closed`: the connection was lost or left, and may
   * come back. `takeover`. `ended`: log-out, another identity, or staff.
   */
  readonly reason: 'first' | 'same_tab' | 'takeover' | 'closed' | 'ended'
}

/** The tab that wants to add its signaling socket to its active connection. */
export type TabIdentity = Pick<SocketIdentity, 'user_id' | 'login_id' | 'tab_id'>

/**
 * The sockets of this server process, read without waiting. For code that acts on the connections, calls
 * and searches of this process. A question about any other user goes to the asynchronous port.
 */
export interface LocalConnections {
  activeConnection(user_id: UserId): ActiveConnection | undefined
  /** The user's main socket, if it is open here. */
  mainConnection(user_id: UserId): Connection | undefined
  /** Whether the user's main socket is open here. */
  isConnected(user_id: UserId): boolean
  /** Every user whose main socket is open here. */
  connectedUsers(): Iterable<UserId>
  /** Calls the listener for every connection change of this server process, in order. Returns how to stop. */
  onConnectionChange(listener: (change: ConnectionChange) => void): () => void
  /** For the end of the process: sockets that close from here on are no connection changes. */
  removeListeners(): void
  /** A socket closed; called by the two socket servers alone. */
  socketClosed(connection: Connection): void
}

/**
 * The connection registry, and how to reach a user. The memory form of this port serves one process. A form
 * for several processes keeps the registry in a store, so every question about any user is asynchronous.
 * Sending never fails and never waits. If a durable event is lost here, GET_CHANGES finds it.
 */
export interface Realtime {
  /**
   * Makes the socket the user's active socket. An older socket of the same tab is replaced. A socket of
   * another tab is disconnected.
   */
  attach(connection: Connection, identity: SocketIdentity): Promise<void>
  /** Adds a signaling socket to the active connection; false when this tab has no open main socket of that login. */
  attachSignal(connection: Connection, tab: TabIdentity): Promise<boolean>
  /** The identity of this socket ended (LOGOUT): the active connection is over, the socket stays open for the next AUTH. */
  detach(connection: Connection): Promise<void>
  /**
   * Closes the sockets of a user's logins: of a login, of all logins, or of all logins but
   * `except_login_id`. Clients reconnect and get 102.
   */
  endLogin(of: { user_id: UserId; login_id?: number; except_login_id?: number }): Promise<void>
  activeConnection(user_id: UserId): Promise<ActiveConnection | undefined>
  /** Whether the user's main socket is open, on any process. */
  isConnected(user_id: UserId): Promise<boolean>
  send<E extends EventName>(user_id: UserId, event: E, payload: Payload<E>): void
  sendSignal<E extends SignalHeardName>(user_id: UserId, event: E, payload: SignalHeard<E>): void
  /**
   * Adds the socket to a channel. A socket leaves its channels when its identity ends or it closes; the caller decides who
   * may subscribe.
   */
  subscribe(connection: Connection, channel: string): void
  unsubscribe(connection: Connection, channel: string): void
  /** Takes the user's socket out of all channels; the socket stays open. */
  unsubscribeAll(user_id: UserId): void
  /** Sends to every subscriber of the channel, to all except these or to these only. */
  broadcast<E extends EventName>(
    channel: string,
    event: E,
    payload: Payload<E>,
    to?: { readonly except: HiddenFrom | undefined } | { readonly only: HiddenFrom },
  ): void
  /** Sends to one user, if their connection is subscribed to the channel. */
  sendToSubscriber<E extends EventName>(
    channel: string,
    user_id: UserId,
    event: E,
    payload: Payload<E>,
  ): void
  readonly local: LocalConnections
}
