import type { EndpointName, Endpoints } from '@duet/protocol'
import type { App } from '@duet/server/core/app.ts'
import type { z } from 'zod'

type PathOf<M extends string> = {
  [E in EndpointName]: E extends `${M} ${infer P}` ? P : never
}[EndpointName]
export type TestGetPath = PathOf<'GET'>
export type TestPostPath = PathOf<'POST'>
export type TestAnswered<E extends EndpointName> = z.output<Endpoints[E]['data']>

/** The parts of the app that a test user talks to. */
export interface TestServer {
  readonly app: App
  readonly origin: string
  readonly socket_key: Buffer
  /** Collects the fields of answers and events that their contracts do not have. */
  readonly beyond: string[]
  /** Runs a command of the operator's shell. */
  duet<Answer = Record<string, unknown>>(...line: (string | number)[]): Promise<Answer>
  /** Resolves when nothing is running: no request, no transaction, no delivery, no packet on any socket. */
  settle(): Promise<void>
  /** Resolves when the server has noticed that this user's sockets are closed. */
  untilGone(user_id: number): Promise<void>
}
