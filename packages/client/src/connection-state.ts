import type { EventName, Payload } from '@duet/protocol'
import type { AuthAnswer } from './login/authentication.ts'
import { NoAnswerError, RefusedError } from './call-errors.ts'
import { refusalBehind, type ConnectionProblem } from './connecting/connection-problem.ts'
import { applyEvent } from './own-record.ts'

/** More actions than this do not wait for a connection. */
const WAITING_ACTIONS_MAX = 200

/** `stopped`: the server refused the page and would refuse it again, so that only the user can help. */
export type ConnectionPhase =
  | 'connecting'
  | 'ready'
  | 'offline'
  | 'stopped'
  | 'other_tab'
  | 'closed'

export interface ConnectionSnapshot {
  readonly phase: ConnectionPhase
  /** Why the connection is lost or will soon be lost. Absent while the connection works. */
  readonly problem?: ConnectionProblem
  /** The last answer to AUTH with later events applied. Kept while offline, so that the screen stays. */
  readonly auth?: AuthAnswer
  /** How far the clock of this device is behind the server's clock at the last AUTH. Negative if it is ahead. */
  readonly clock_behind_ms?: number
}

/** Everything that a connection publishes: the events of the wire, and these of its own. */
export type ConnectionEvents = { [E in EventName]: Payload<E> } & {
  snapshot: ConnectionSnapshot
  /** Everything fetched so far is too old. */
  reset: undefined
  /** The last free message of the day is used: once, until there are free messages again. */
  quota_spent: undefined
  /**
   * The identity has changed, or is absent while a user who logged out waits for AUTH. Caches of the former identity
   * are emptied.
   */
  identity: AuthAnswer | undefined
  /** The user logs out. Even without an answer all work of this user must end. */
  logout: undefined
}

/** More events than this are not kept for a part of the page that is not loaded yet. */
const MISSED_EVENTS_MAX = 200

/** The last answer to AUTH and the events since then that had no listener, each with the time of its arrival. */
export interface MissedEvents {
  readonly auth: AuthAnswer
  readonly at_ms: number
  readonly events: readonly {
    readonly type: EventName
    readonly payload: unknown
    readonly at_ms: number
  }[]
}

interface Waiting {
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

export type ConnectionState = ReturnType<typeof createConnectionState>

/**
 * The phase of the connection, the own record, and the listeners of both.
 *
 * @param askAgain begins another attempt to connect after the user gave up the captcha of AUTH
 */
export function createConnectionState(askAgain: () => void) {
  const listeners = createListeners<ConnectionEvents>()
  let snapshot: ConnectionSnapshot = { phase: 'connecting' }
  const waiting = new Set<Waiting>()
  let missed: MissedEvents | undefined

  function set(next: ConnectionSnapshot): void {
    snapshot = next
    listeners.publish('snapshot', next)
    if (next.phase === 'ready') settleWaiting(({ resolve }) => resolve())
    if (next.phase === 'stopped') settleWaiting(({ reject }) => reject(stopError(next)))
    if (next.phase === 'closed') waiting.clear()
  }

  function keep(type: EventName, payload: unknown): void {
    if (!missed || type.startsWith('error_')) return
    const events = [...missed.events, { type, payload, at_ms: Date.now() }]
    missed = events.length > MISSED_EVENTS_MAX ? undefined : { ...missed, events }
  }

  function settleWaiting(settle: (one: Waiting) => void): void {
    const settled = [...waiting]
    waiting.clear()
    for (const one of settled) settle(one)
  }

  return {
    on: listeners.on,
    get: () => snapshot,
    set,
    change: (part: Partial<ConnectionSnapshot>) => set({ ...snapshot, ...part }),
    publish: listeners.publish,
    /** Applies an event to the own record first, so that its listeners read the new record. */
    receive(event: string, payload: unknown): void {
      const { auth } = snapshot
      const next = auth && applyEvent(auth, event, payload)
      if (next && next !== auth) set({ ...snapshot, auth: next })
      if (auth && next && isQuotaSpent(auth, next)) listeners.publish('quota_spent', undefined)
      const hasListener = listeners.publish(event as EventName, payload as never)
      if (event === 'auth_success')
        missed = { auth: payload as AuthAnswer, at_ms: Date.now(), events: [] }
      else if (!hasListener) keep(event as EventName, payload)
    },
    /**
     * For a part that is loaded after AUTH. The part starts from the answer to AUTH and applies the missed events.
     * Works once.
     */
    takeMissedEvents(): MissedEvents | undefined {
      const taken = missed
      missed = undefined
      return taken
    },
    /**
     * Resolves once AUTH has answered. Rejects if the server refuses the page. If the user gave up the captcha, the
     * page asks again, because the caller needs the connection.
     */
    whenReady(): Promise<void> {
      if (snapshot.phase === 'ready') return Promise.resolve()
      if (snapshot.phase === 'stopped') {
        const error = stopError(snapshot)
        if (!isCaptcha(error)) return Promise.reject(error)
        set({ ...snapshot, phase: 'connecting' })
        askAgain()
      }
      if (waiting.size >= WAITING_ACTIONS_MAX) return Promise.reject(new NoAnswerError('connect'))
      return new Promise((resolve, reject) => waiting.add({ resolve, reject }))
    },
    patchUser(change: Partial<AuthAnswer['user']>): void {
      const { auth } = snapshot
      if (auth) set({ ...snapshot, auth: { ...auth, user: { ...auth.user, ...change } } })
    },
  }
}

function isQuotaSpent(before: AuthAnswer, now: AuthAnswer): boolean {
  return before.free_quota_messages > 0 && now.free_quota_messages === 0
}

function isCaptcha(error: Error): boolean {
  return error instanceof RefusedError && error.refusal === 'captcha_required'
}

function stopError({ problem }: ConnectionSnapshot): Error {
  return refusalBehind(problem) ?? new NoAnswerError('connect')
}

/** A typed list of listeners. A listener that throws is reported and does not stop the others. */
interface Listeners<Events extends Record<string, unknown>> {
  /** Returns the function that removes the listener. */
  on<K extends keyof Events>(name: K, listener: (payload: Events[K]) => void): () => void
  /** Returns whether anything listened. */
  publish<K extends keyof Events>(name: K, payload: Events[K]): boolean
}

function createListeners<Events extends Record<string, unknown>>(): Listeners<Events> {
  const lists = new Map<keyof Events, Set<(payload: never) => void>>()
  return {
    on(name, listener) {
      const list = lists.get(name) ?? new Set()
      lists.set(name, list.add(listener))
      return () => list.delete(listener)
    },
    publish(name, payload) {
      const list = lists.get(name) ?? new Set()
      for (const listener of list) {
        try {
          listener(payload as never)
        } catch (error) {
          reportError?.(error)
        }
      }
      return list.size > 0
    },
  }
}
