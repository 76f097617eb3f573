import { deepEqual, equal, fail } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type {
  ActionName,
  Actions,
  ErrorPayload,
  EventName,
  Events,
  PasskeyAnswer,
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
import { answerBeyond } from './beyond-contract.ts'
import { type Match, matching, receivedEvent } from './received-events.ts'
import type { TestAnswered, TestGetPath, TestPostPath, TestServer } from './test-server.ts'
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

type Query = Record<string, string | number>
type EventHeard = EventName | `error_${number}`
/** The payload of an event as a client reads it. */
type HeardOf<E extends EventHeard> = E extends EventName
  ? z.output<Events[E]['payload']> &
      (Events[E]['durable'] extends true ? { change_id: number } : unknown)
  : ErrorPayload
type SignalEvent = SignalHeardName | `error_${number}`
type SignalHeardOf<E extends SignalEvent> = E extends SignalHeardName
  ? SignalHeard<E>
  : ErrorPayload
type Acknowledged<A extends ActionName> = z.output<Actions[A]['ack']>
interface Identity {
  token?: string
  login?: string
  password?: string
  otp?: string
  passkey?: PasskeyAnswer
}

/** A user who acts through the real transports: one page with its main socket and, when opened, its signaling socket. */
export class TestUser {
  readonly name: string
  readonly testApp: TestServer
  tab_id: string = randomUUID()
  token: string | undefined
  cookie: string | undefined
  /** Headers that a proxy adds to each request of this user. */
  proxy_headers: Record<string, string> = {}
  wire: WireSocket | undefined
  signaling: WireSocket | undefined
  /** The own record of the last AUTH or UPDATE_PROFILE. */
  user: Record<string, unknown> & { id: number; ortc_token: string } = { id: 0, ortc_token: '' }

  constructor(testApp: TestServer, name: string, token?: string) {
    this.testApp = testApp
    this.name = name
    this.token = token
  }

  get id(): number {
    return this.user.id
  }

  /** Opens the main socket, without AUTH. */
  async connect(headers?: Record<string, string>): Promise<this> {
    const { origin, beyond } = this.testApp
    const sent = headers ?? { origin, ...this.proxy_headers }
    this.wire = await openSocket(origin, '/socket.io', sent, beyond)
    return this
  }

  /** AUTH: by the current token, by login and password, or as a new guest. */
  async auth(
    by: Identity & { cipher?: boolean; locale?: string } = {},
  ): Promise<Acknowledged<'AUTH'>> {
    if (!this.wire?.socket.connected) await this.connect()
    const said = { device_type: 'web' as const, version: '2.0.1', tab_id: this.tab_id }
    const isNamed = (by.login ?? by.token ?? by.passkey) !== undefined
    const who = isNamed || this.token === undefined ? {} : { token: this.token }
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

  /** Sends anything as an action and returns whatever comes back. */
  async tryAct(action: string, data: unknown): Promise<WireAnswer> {
    if (!this.wire) throw new Error(`${this.name} has no socket`)
    const answer = await act(this.wire, this.testApp.socket_key, action, data)
    this.testApp.beyond.push(...answerBeyond(action, answer))
    return answer
  }

  get<P extends TestGetPath>(path: P, query?: Query): Promise<TestAnswered<`GET ${P}`>>
  get(path: string, query?: Query): Promise<Record<string, unknown>>
  get(path: string, query: Query = {}): Promise<unknown> {
    const asked = new URLSearchParams(
      Object.entries(query).map(([key, value]) => [key, String(value)]),
    )
    return this.#http('GET', `${path}${asked.size > 0 ? `?${asked}` : ''}`)
  }

  post<P extends TestPostPath>(
    path: P,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<TestAnswered<`POST ${P}`>>
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
        ...(this.cookie && { cookie: this.cookie }),
        ...this.proxy_headers,
        ...init.headers,
      },
    })
    this.cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? this.cookie
    const body = (await response.json()) as { data: unknown } & WireFailure
    const call = `${method} ${path}`
    if (!response.ok) this.testApp.beyond.push(...answerBeyond(call, { error: body }))
    if (!response.ok) throw new WireRefused(body, `${this.name} ${call}`, response.status)
    return body.data
  }

  /**
   * Waits until an event with these fields was received; with `times`, lets the app settle and counts exactly.
   * Returns the first payload.
   */
  async heard<E extends EventHeard>(
    event: E,
    match: Match = {},
    { times }: { times?: number } = {},
  ): Promise<HeardOf<E>> {
    return (await receivedEvent(
      this.testApp,
      this.name,
      this.wire,
      event,
      match,
      times,
    )) as HeardOf<E>
  }

  /** Asserts that no such event was received, after everything that could still send it has settled. */
  async notHeard(event: EventName | `error_${number}`, match: Match = {}): Promise<void> {
    await this.testApp.settle()
    deepEqual(matching(this.wire, event, match), [], `${this.name} received ${event}`)
  }

  /** The events received so far, of the given names or all, oldest first. */
  all(...events: string[]): Heard[] {
    return (this.wire?.heard ?? []).filter(
      ({ event }) => events.length === 0 || events.includes(event),
    )
  }

  /** Drops the received events. */
  forget(): void {
    ;(this.wire?.heard as Heard[] | undefined)?.splice(0)
    ;(this.signaling?.heard as Heard[] | undefined)?.splice(0)
  }

  /** Asserts that the request is refused with this name; returns `additional`. */
  async isRefused(
    name: RefusalName,
    call: () => Promise<unknown>,
  ): Promise<Record<string, unknown>> {
    const error = await call().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (!(error instanceof WireRefused))
      return error === undefined
        ? fail(`${this.name} was not refused ${name}`)
        : Promise.reject(error)
    equal(error.refusal, name, error.message)
    equal(error.code, refusals[name].code, error.message)
    return error.additional
  }

  /** Opens `/signal` and authenticates it. */
  async openSignal(ortc_token = this.user.ortc_token): Promise<WireSocket> {
    const { origin, beyond } = this.testApp
    this.signaling = await openSocket(origin, '/signal', undefined, beyond)
    this.signaling.emit('AUTH', { ortc_token, tab_id: this.tab_id })
    await this.signalHeard('auth_success')
    return this.signaling
  }

  signal<E extends SignalSentName>(event: E, payload: SignalSent<E>): void {
    if (!this.signaling) throw new Error(`${this.name} has no signaling socket`)
    this.signaling.emit(event, payload)
  }

  async signalHeard<E extends SignalEvent>(
    event: E,
    match: Match = {},
    { times }: { times?: number } = {},
  ): Promise<SignalHeardOf<E>> {
    return (await receivedEvent(
      this.testApp,
      `${this.name} on /signal`,
      this.signaling,
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
    deepEqual(
      matching(this.signaling, event, match),
      [],
      `${this.name} received ${event} on /signal`,
    )
  }

  /** The same login in another tab (or device): a second test user, authenticated. */
  async inAnotherTab(): Promise<TestUser> {
    const other = new TestUser(this.testApp, `${this.name} in another tab`, this.token)
    await other.auth()
    return other
  }

  /** The same tab reconnects: a new socket with the same tab_id. */
  async comeBack(): Promise<Acknowledged<'AUTH'>> {
    await this.connect()
    return this.auth()
  }

  /** Drops both sockets as a failing network does; resolves when the server has noticed. */
  async drop(): Promise<void> {
    for (const wire of [this.signaling, this.wire]) wire?.drop()
    await this.testApp.untilGone(this.id)
  }

  async close(): Promise<void> {
    for (const wire of [this.signaling, this.wire]) wire?.close()
    await this.testApp.untilGone(this.id)
  }
}
