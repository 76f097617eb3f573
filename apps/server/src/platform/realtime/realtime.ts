import type { EventName, Payload } from '@duet/protocol'
import type { SignalHeard, SignalHeardName } from '@duet/protocol/contracts/signaling.ts'
import type { UserId } from '../../core/ids.ts'
import type { Connection, SocketIdentity } from './connection.ts'

/** A user's one active line: the tab that holds it and which of its sockets are open. */
export interface ActiveConnection {
  readonly user_id: UserId
  readonly login_id: number | null
  readonly tab_id: string
  readonly main: boolean
  readonly signal: boolean
}

/** A socket of a line came or went. */
export interface ConnectionChange {
  readonly user_id: UserId
  readonly socket: 'main' | 'signal'
  readonly state: 'up' | 'down'
  readonly tab_id: string
  /**
   * up: `first`; `same_tab` (the page came back before its old socket was seen to be gone); `takeover` (another tab or device).
   * down: `closed` (lost or left: may come back); `takeover`; `ended` (log-out, another identity, staff).
   */
  readonly reason: 'first' | 'same_tab' | 'takeover' | 'closed' | 'ended'
  readonly takeover: boolean
}

/**
 * Who is live, and how to reach him. A port: the memory form serves one process, a Redis form keeps `line` as a local
 * mirror. Sending never fails and never waits: a durable event that is lost here is found by GET_CHANGES.
 */
export interface Realtime {
  /** Makes the socket the user's active one: the same tab's older socket is replaced, another tab's is told to let go. */
  attach(connection: Connection, identity: SocketIdentity): Promise<void>
  /** Joins a signalling socket to the line; false when this tab holds no live main socket of that login. */
  attachSignal(
    connection: Connection,
    of: { user_id: UserId; login_id: number | null; tab_id: string },
  ): Promise<boolean>
  /** The identity on this socket ended (LOGOUT): the line is over, the socket stays open for the next AUTH. */
  detach(connection: Connection): Promise<void>
  /** Closes the sockets of a user's logins: of one, of all, or of all but one. They come back and meet 102. */
  endLogin(of: { user_id: UserId; login_id?: number; except_login_id?: number }): Promise<void>
  activeConnection(user_id: UserId): ActiveConnection | undefined
  isConnected(user_id: UserId): boolean
  /** Everybody with an open main socket here. */
  connectedUsers(): Iterable<UserId>
  send<E extends EventName>(user_id: UserId, event: E, payload: Payload<E>): void
  sendSignal<E extends SignalHeardName>(user_id: UserId, event: E, payload: SignalHeard<E>): void
  /** Rooms hear broadcasts; a socket leaves its rooms when its identity ends or it closes. Who may enter is the caller's to decide. */
  subscribe(connection: Connection, room: string): void
  unsubscribe(connection: Connection, room: string): void
  members(room: string): Iterable<UserId>
  /** Says it to everybody in the room but those of `except`. */
  broadcast<E extends EventName>(
    room: string,
    event: E,
    payload: Payload<E>,
    except?: ReadonlySet<UserId>,
  ): void
  /** Hears every change of every line of this process, in order. Answers how to stop hearing. */
  onConnectionChange(hear: (change: ConnectionChange) => void): () => void
  /** The process ends: nobody hears of lines any more, so what closes now changes nothing. */
  removeListeners(): void
  /** A socket closed: called by the edges alone. */
  socketClosed(connection: Connection): void
}
