import { createHmac } from 'node:crypto'
import type { Ack, Input } from '@duet/protocol'
import { perApp } from '../../../core/app-state.ts'
import type { App } from '../../../core/app.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Viewer } from '../../../core/viewer.ts'
import { keyFor } from '../../../lib/derived-key.ts'
import { parseRateLimit } from '../../../lib/rate-limit.ts'
import { refuse } from '../../../lib/refusal.ts'
import { toNetwork } from '../../http/client-address.ts'
import type { Connection } from '../../../core/realtime.ts'
import { usePassed } from './captcha-store.ts'

/** A captcha has a purpose. A passed captcha is good for its purpose and nothing else. */
const PURPOSES = ['login', 'recovery', 'register', 'email', 'search', 'activity', 'report'] as const
export type CaptchaPurpose = (typeof PURPOSES)[number]

interface CaptchaRequest {
  readonly purpose: CaptchaPurpose
  readonly viewer: Viewer
  readonly context: RequestContext
}

/** A page that passed has this long to repeat its call. */
const PASS_MS = 600_000
/** How often a client may have a payload verified with an HTTP call; the action CAPTCHA has a limit of its own. */
const HEADER_LIMIT = parseRateLimit('30/min')
const CLIENTS_MAX = 100_000

/** The last purpose that a connection was asked for, and until when it has passed which. It ends with the socket. */
interface ConnectionCaptchas {
  asked: CaptchaPurpose | undefined
  readonly passed: Map<CaptchaPurpose, number>
}

const captchasOf = new WeakMap<Connection, ConnectionCaptchas>()

const headerLimiter = perApp(
  'platform: captchas of HTTP calls',
  'token buckets of clients that send solved captchas; start full',
  (app) => app.createRateLimiter(CLIENTS_MAX),
)

/**
 * Takes the captcha that the caller has passed for this purpose. The captcha belongs to the connection or
 * to the header of an HTTP call, and is good for one call. Without it, refuses captcha_required with a new
 * challenge.
 */
export async function spendCaptcha(app: App, request: CaptchaRequest): Promise<void> {
  if (!(await takePassed(app, request))) await refuseWithChallenge(app, request)
}

/**
 * One captcha for many calls. The captcha may be passed on the socket or with an HTTP call of the socket's
 * user. It is good until the connection ends, at most ten minutes. Without a connection it is good for one
 * HTTP call. Refuses captcha_required.
 */
export async function requireRecentCaptcha(app: App, request: CaptchaRequest): Promise<void> {
  const { viewer, context } = request
  // A page that passed on its socket asks for several things over HTTP.
  const connection =
    context.connection ??
    (viewer.kind === 'none' ? undefined : app.realtime.local.mainConnection(viewer.id))
  if (connection && hasPassed(app, connection, request.purpose)) return
  await spendCaptcha(app, request)
  if (connection) addPass(app, connection, request.purpose)
}

/** Refuses captcha_required with a new challenge. */
export async function refuseWithChallenge(app: App, request: CaptchaRequest): Promise<never> {
  const { connection } = request.context
  if (connection) getCaptchas(connection).asked = request.purpose
  return refuse('captcha_required', {
    challenge: await app.captcha.issue(getBinding(app, request)),
  })
}

/** CAPTCHA: verifies a solution once. The connection may then repeat the call that was refused. */
export async function solveCaptcha(
  app: App,
  viewer: Viewer,
  { payload }: Input<'CAPTCHA'>,
  context: RequestContext,
): Promise<Ack<'CAPTCHA'>> {
  const { connection } = context
  const asked = (connection && getCaptchas(connection).asked) ?? 'activity'
  const request = { purpose: asked, viewer, context }
  const found = await verified(app, payload, request, 'any purpose')
  if (!connection || found === 'refused' || found === 'unavailable')
    return refuseAgain(app, request, found)
  addPass(app, connection, found)
  return {}
}

function addPass(app: App, connection: Connection, purpose: CaptchaPurpose): void {
  getCaptchas(connection).passed.set(purpose, app.clock.now().epochMilliseconds + PASS_MS)
  // After the acknowledgement.
  setImmediate(() => connection.send('captcha.verify', {}))
}

type Verified = CaptchaPurpose | 'unavailable' | 'refused'

async function takePassed(app: App, request: CaptchaRequest): Promise<boolean> {
  const { purpose, viewer, context } = request
  const { connection, captcha } = context
  if (connection) {
    const isPassed = hasPassed(app, connection, purpose)
    if (isPassed) getCaptchas(connection).passed.delete(purpose)
    return isPassed
  }
  if (captcha === undefined) return false
  const nowMs = app.clock.now().epochMilliseconds
  const client = viewer.kind === 'none' ? toNetwork(context.address) : `user ${viewer.id}`
  const waitMs = await headerLimiter(app).take(client, HEADER_LIMIT, nowMs)
  if (waitMs > 0) refuse('too_many', { retry_after: Math.ceil(waitMs / 1000) })
  const found = await verified(app, captcha, request, 'this purpose')
  if (found === 'unavailable') return refuseAgain(app, request, found)
  return found === purpose
}

/**
 * The purpose that this solution is good for. If the solution names no purpose, the purpose of the request
 * counts. If this purpose is wanted, a solution that names another
 * purpose is not spent.
 */
async function verified(
  app: App,
  payload: string,
  request: CaptchaRequest,
  wanted: 'any purpose' | 'this purpose',
): Promise<Verified> {
  const { session } = getBinding(app, request)
  const { address } = request.context
  const verdict = await app.captcha.verify(payload, { session, address })
  if (!verdict.ok) return verdict.reason === 'unavailable' ? 'unavailable' : 'refused'
  const purpose = verdict.purpose ?? request.purpose
  if (!isPurpose(purpose)) return 'refused'
  if (wanted === 'this purpose' && purpose !== request.purpose) return 'refused'
  const { once_key, expires_at } = verdict
  const isFirst = await app.transact((tx) => usePassed(tx, once_key, expires_at))
  return isFirst ? purpose : 'refused'
}

function isPurpose(purpose: string): purpose is CaptchaPurpose {
  return (PURPOSES as readonly string[]).includes(purpose)
}

/**
 * A browser that cannot reach the provider gets the built-in challenge. So does a browser whose provider
 * does not answer us.
 */
async function refuseAgain(app: App, request: CaptchaRequest, found: Verified): Promise<never> {
  if (found !== 'unavailable') return refuseWithChallenge(app, request)
  const challenge = await app.captcha.issueBuiltIn(getBinding(app, request))
  return refuse('captcha_required', { challenge })
}

function hasPassed(app: App, connection: Connection, purpose: CaptchaPurpose): boolean {
  const untilMs = getCaptchas(connection).passed.get(purpose) ?? 0
  return app.clock.now().epochMilliseconds < untilMs
}

function getCaptchas(connection: Connection): ConnectionCaptchas {
  let state = captchasOf.get(connection)
  if (!state) captchasOf.set(connection, (state = { asked: undefined, passed: new Map() }))
  return state
}

/** A session is a socket; over HTTP it is the user, and without one the network. */
function getBinding(
  app: App,
  { purpose, viewer, context: { connection, address } }: CaptchaRequest,
): { readonly purpose: CaptchaPurpose; readonly session: string } {
  const name = connection
    ? `connection ${connection.id}`
    : viewer.kind === 'none'
      ? `network ${toNetwork(address)}`
      : `user ${viewer.id}`
  const session = createHmac('sha256', keyFor(app.config, 'captcha sessions'))
    .update(name)
    .digest('base64url')
  return { purpose, session }
}
