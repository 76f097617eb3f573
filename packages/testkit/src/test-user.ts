import { deepEqual, equal, fail } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type {
  ActionName,
  Actions,
  EndpointName,
  Endpoints,
  ErrorPayload,
  EventName,
  Events,
  Sent,
} from '@duet/protocol'
import { refusals, type RefusalName } from '@duet/protocol/kernel/refusals.ts'
import type {
  SignalHeard,
  SignalHeardName,
  SignalSent,
  SignalSentName,
} from '@duet/protocol/contracts/signaling.ts'
import type { z } from 'zod'
import type { TestApp } from './test-app.ts'
import {
  act,
  openSocket,
  type Heard,
  type WireAnswer,
  type WireFailure,
  type WireSocket,
} from './wire-client.ts'

/** A refusal as it crossed the wire. */
export class WireRefused extends Error {
  readonly refusal: RefusalName
  readonly code: number
  readonly additional: Record<string, unknown>
  readonly status: number | undefined
  constructor({ code, name, message, additional }: WireFailure, of: string, status?: number) {
    super(`${of}: ${code} ${name} ${message} ${JSON.stringify(additional)}`)
    this.refusal = name
    this.code = code
    this.additional = additional
    this.status = status
  }
}

type Match = Record<string, unknown>
type Query = Record<string, string | number>
type PathOf<M extends string> = {
  [E in EndpointName]: E extends `${M} ${infer P}` ? P : never
}[EndpointName]
type GetPath = PathOf<'GET'>
type PostPath = PathOf<'POST'>
type Answered<E extends EndpointName> = z.output<Endpoints[E]['data']>
type EventHeard = EventName | `error_${number}`
/** What a client reads in an event. */
type HeardOf<E extends EventHeard> = E extends EventName
  ? z.output<Events[E]['payload']> &
      (Events[E]['durable'] extends true ? { change_id: number } : unknown)
  : ErrorPayload
type SignalEvent = SignalHeardName | `error_${number}`
type SignalHeardOf<E extends SignalEvent> = E extends SignalHeardName
  ? SignalHeard<E>
  : ErrorPayload
type Acknowledged<A extends ActionName> = z.output<Actions[A]['ack']>
type Identity = { token?: string; login?: string; password?: string }

const within_ms = 5000

/** Somebody who acts through the real edge: one page with its main socket and, when opened, its signalling socket. */
export class TestUser {
  readonly name: string
  readonly testApp: TestApp
  tab_id: string = randomUUID()
  token: string | undefined
  wire: WireSocket | undefined
  signalling: WireSocket | undefined
  /** The own record as the last AUTH or UPDATE_PROFILE told it. */
  user: Record<string, unknown> & { id: number; ortc_token: string } = { id: 0, ortc_token: '' }

  constructor(testApp: TestApp, name: string, token?: string) {
    this.testApp = testApp
    this.name = name
    this.token = token
  }

  get id(): number {
    return this.user.id
  }

  /** Opens the main socket, without AUTH. */
  async connect(headers?: Record<string, string>): Promise<this> {
    this.wire = await openSocket(this.testApp.origin, '/socket.io', headers, this.testApp.beyond)
    return this
  }

  /** AUTH: by the token at hand, by login and password, or as a new guest. */
  async auth(
    by: Identity & { cipher?: boolean; locale?: string } = {},
  ): Promise<Acknowledged<'AUTH'>> {
    if (!this.wire?.socket.connected) await this.connect()
    const said = { device_type: 'web' as const, version: '2.0.1', tab_id: this.tab_id }
    const who =
      by.login === undefined && by.token === undefined && this.token !== undefined
        ? { token: this.token }
        : {}
    const answer = await this.act('AUTH', { ...said, ...who, ...by } as Sent<'AUTH'>)
    this.token = answer.token
    this.user = answer.user as unknown as TestUser['user']
    return answer
  }

  /** The acknowledgement's data; throws WireRefused. */
  async act<A extends ActionName>(action: A, data: Sent<A>): Promise<Acknowledged<A>> {
    const answer = await this.tryAct(action, data)
    if ('error' in answer) throw new WireRefused(answer.error, `${this.name} ${action}`)
    return answer.data as Acknowledged<A>
  }

  /** Anything as an action, answered as it comes. */
  async tryAct(action: string, data: unknown): Promise<WireAnswer> {
    if (!this.wire) throw new Error(`${this.name} has no socket`)
    return act(this.wire, this.testApp.socket_key, action, data)
  }

  get<P extends GetPath>(path: P, query?: Query): Promise<Answered<`GET ${P}`>>
  get(path: string, query?: Query): Promise<Record<string, unknown>>
  get(path: string, query: Query = {}): Promise<unknown> {
    const asked = new URLSearchParams(
      Object.entries(query).map(([key, value]) => [key, String(value)]),
    )
    return this.#http('GET', `${path}${asked.size > 0 ? `?${asked}` : ''}`)
  }

  post<P extends PostPath>(
    path: P,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answered<`POST ${P}`>>
  post(
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Record<string, unknown>>
  post(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<unknown> {
    const isForm = body instanceof FormData
    return this.#http('POST', path, {
      headers: isForm ? headers : { 'content-type': 'application/json', ...headers },
      body: isForm ? body : JSON.stringify(body),
    })
  }

  async #http(
    method: string,
    path: string,
    init: { headers?: Record<string, string>; body?: string | FormData } = {},
  ): Promise<unknown> {
    const url = `${this.testApp.origin}${path.startsWith('/') ? path : `/api/${path}`}`
    const response = await fetch(url, {
      method,
      ...init,
      headers: {
        'client-version': '2.0.0',
        ...(this.token && { 'chat-token': this.token }),
        ...init.headers,
      },
    })
    const body = (await response.json()) as { data: unknown } & WireFailure
    if (!response.ok) throw new WireRefused(body, `${this.name} ${method} ${path}`, response.status)
    return body.data
  }

  /**
   * Waits until an event with these fields was heard; with `times`, lets everything settle and counts exactly.
   * Answers the first payload.
   */
  async heard<E extends EventHeard>(
    event: E,
    match: Match = {},
    { times }: { times?: number } = {},
  ): Promise<HeardOf<E>> {
    return (await hears(this.testApp, this.name, this.wire, event, match, times)) as HeardOf<E>
  }

  /** Nothing like this was heard, and nothing is under way that could still say it. */
  async notHeard(event: EventName | `error_${number}`, match: Match = {}): Promise<void> {
    await this.testApp.settle()
    deepEqual(matching(this.wire, event, match), [], `${this.name} heard ${event}`)
  }

  /** Everything heard so far by the names given, oldest first. */
  all(...events: string[]): Heard[] {
    return (this.wire?.heard ?? []).filter(
      ({ event }) => events.length === 0 || events.includes(event),
    )
  }

  /** Forgets what was heard. */
  forget(): void {
    ;(this.wire?.heard as Heard[] | undefined)?.splice(0)
    ;(this.signalling?.heard as Heard[] | undefined)?.splice(0)
  }

  /** The call is refused by this name; answers `additional`. */
  async isRefused(
    name: RefusalName,
    call: () => Promise<unknown>,
  ): Promise<Record<string, unknown>> {
    const said = await call().then(
      () => undefined,
      (error: unknown) => error,
    )
    if (!(said instanceof WireRefused))
      return said === undefined
        ? fail(`${this.name} was not refused ${name}`)
        : Promise.reject(said)
    equal(said.refusal, name, said.message)
    equal(said.code, refusals[name].code, said.message)
    return said.additional
  }

  /** Opens `/signal` and authenticates it. */
  async openSignal(ortc_token = this.user.ortc_token): Promise<WireSocket> {
    this.signalling = await openSocket(
      this.testApp.origin,
      '/signal',
      undefined,
      this.testApp.beyond,
    )
    this.signalling.emit('AUTH', { ortc_token, tab_id: this.tab_id })
    await this.signalHeard('auth_success')
    return this.signalling
  }

  signal<E extends SignalSentName>(event: E, payload: SignalSent<E>): void {
    if (!this.signalling) throw new Error(`${this.name} has no signalling socket`)
    this.signalling.emit(event, payload)
  }

  async signalHeard<E extends SignalEvent>(
    event: E,
    match: Match = {},
    { times }: { times?: number } = {},
  ): Promise<SignalHeardOf<E>> {
    return (await hears(
      this.testApp,
      `${this.name} on /signal`,
      this.signalling,
      event,
      match,
      times,
    )) as SignalHeardOf<E>
  }

  async signalNotHeard(
    event: SignalHeardName | `error_${number}`,
    match: Match = {},
  ): Promise<void> {
    await this.testApp.settle()
    deepEqual(matching(this.signalling, event, match), [], `${this.name} heard ${event} on /signal`)
  }

  /** The same login in another tab (or device): a second Actor, authenticated. */
  async inAnotherTab(): Promise<TestUser> {
    const other = new TestUser(this.testApp, `${this.name} in another tab`, this.token)
    await other.auth()
    return other
  }

  /** The same tab comes back: a new socket with the same tab_id. */
  async comeBack(): Promise<Acknowledged<'AUTH'>> {
    await this.connect()
    return this.auth()
  }

  /** Both sockets vanish, as a network does; resolves when the server has noticed. */
  async drop(): Promise<void> {
    for (const wire of [this.signalling, this.wire]) wire?.drop()
    await this.testApp.untilGone(this.id)
  }

  async close(): Promise<void> {
    for (const wire of [this.signalling, this.wire]) wire?.close()
    await this.testApp.untilGone(this.id)
  }
}

function matching(
  wire: WireSocket | undefined,
  event: string,
  match: Match,
): Record<string, unknown>[] {
  return (wire?.heard ?? [])
    .filter(
      (heard) =>
        heard.event === event &&
        Object.entries(match).every(([key, value]) => isDeepStrictEqual(heard.payload[key], value)),
    )
    .map(({ payload }) => payload)
}

async function hears(
  testApp: TestApp,
  name: string,
  wire: WireSocket | undefined,
  event: string,
  match: Match,
  times?: number,
): Promise<unknown> {
  if (!wire) throw new Error(`${name} has no socket`)
  if (times !== undefined) {
    await testApp.settle()
    const found = matching(wire, event, match)
    equal(
      found.length,
      times,
      `${name} heard ${event} ${found.length} times; heard: ${summary(wire)}`,
    )
    return found[0]
  }
  const arrived = () => matching(wire, event, match)[0]
  const now = arrived()
  if (now) return now
  return new Promise((resolve, reject) => {
    const stop = wire.onHeard(() => {
      const found = arrived()
      if (!found) return
      clearTimeout(late)
      stop()
      resolve(found)
    })
    const late = setTimeout(() => {
      stop()
      reject(
        new Error(`${name} never heard ${event} ${JSON.stringify(match)}; heard: ${summary(wire)}`),
      )
    }, within_ms)
  })
}

function summary(wire: WireSocket): string {
  return wire.heard
    .map(({ event, payload }) => `${event} ${JSON.stringify(payload)}`.slice(0, 160))
    .join('\n  ')
}
