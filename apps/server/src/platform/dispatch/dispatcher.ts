import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { ContractSchema, Who } from '@duet/protocol/kernel/contract.ts'
import type { Failure } from '@duet/protocol/kernel/envelope.ts'
import { everyCall, refusals, type RefusalName } from '@duet/protocol/kernel/refusals.ts'
import { mayRequest, type Principal } from '@duet/protocol/kernel/who.ts'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Sender } from '../../core/viewer.ts'
import { parseRateLimit, type RateLimit, type RateLimiter } from '../../lib/rate-limit.ts'
import { isRefusal, Refusal } from '../../lib/refusal.ts'
import { listNetworks } from '../http/client-address.ts'
import { requireRecentCaptcha } from './captcha/captcha-gate.ts'
import type { PendingWork } from '../pending-work.ts'
import type { Handler } from './contract-registry.ts'
import { readModerationInfo } from './moderation-info.ts'
import { isDatabaseUnavailable } from '../database/database-unavailable.ts'
import { nulIn } from './json-guard.ts'

/** A request of an action, an endpoint or a signal, as the dispatcher sees it. */
export interface DispatchRequest {
  readonly kind: 'action' | 'endpoint' | 'signal'
  readonly name: string
  /** Undefined: the protocol has no such request. */
  readonly contract:
    | {
        readonly who: Who | readonly Who[]
        readonly banned?: true
        readonly rate?: string
        readonly refuses: readonly RefusalName[]
      }
    | undefined
  readonly handler: Handler | undefined
  /** Reads and parses the input; only called once the viewer is permitted. */
  readonly parse: () => ParsedInput | Promise<ParsedInput>
  /** The schema of the answer. */
  readonly answers: ContractSchema | undefined
  /** Only called when there is a handler. Undefined: the caller's login has ended. */
  readonly viewer: () => Promise<Sender | undefined>
}

export type ParsedInput =
  | { readonly input: unknown }
  | { readonly issues: readonly z.core.$ZodIssue[] }

export type DispatchResult = { readonly ok: true; readonly data: unknown } | DispatchFailure
export interface DispatchFailure {
  readonly ok: false
  readonly refusal: RefusalName
  readonly http: number
  readonly failure: Failure
}

export interface Dispatcher {
  (request: DispatchRequest, context: RequestContext): Promise<DispatchResult>
}

const RATED_CALLERS_MAX = 100_000
/** New guests cost nothing to create, so their network is limited too, this many times as generously. */
const NETWORK_FACTOR = 10
const UNAVAILABLE_RETRY_SECONDS = 5

export interface DispatcherOptions {
  readonly pending: PendingWork
}

/** Creates the only way from a request to its answer, for sockets and HTTP alike. It never throws. */
export function createDispatcher(app: App, { pending }: DispatcherOptions): Dispatcher {
  const limiter = app.createRateLimiter(RATED_CALLERS_MAX)

  async function answer(request: DispatchRequest, context: RequestContext): Promise<unknown> {
    if (!request.contract || !request.handler) throw new Refusal('unknown_call')
    const viewer = await request.viewer()
    if (viewer === undefined) throw new Refusal('session_invalid')
    const verdict = mayRequest(getPrincipal(viewer), request.contract)
    if (verdict)
      throw new Refusal(
        verdict,
        verdict === 'banned' && viewer.kind !== 'staff'
          ? await readModerationInfo.get(app)(app, viewer)
          : undefined,
      )
    await refuseTooFast(app, limiter, request, viewer, context)
    const input = await readInput(request)
    const data = await request.handler(app, viewer, input, context)
    if (request.answers && app.config.answers_checked) assertKeepsContract(request, data)
    return data
  }

  return (request, context) => {
    const began = performance.now()
    const result = answer(request, context).then(
      (data): DispatchResult => ({ ok: true, data }),
      (error: unknown): DispatchResult => failureFrom(app, request, context, error),
    )
    return pending.track(result).then((settled) => {
      report(app, request, context, settled, performance.now() - began)
      return settled
    })
  }
}

/**
 * Takes the tokens of the contract's rate from the user's bucket, or from the network's bucket for a visitor.
 * A guest also takes tokens from the network's bucket. If other guests have emptied that bucket, a captcha lets
 * the request pass.
 */
async function refuseTooFast(
  app: App,
  limiter: RateLimiter,
  { contract, name, kind }: DispatchRequest,
  viewer: Sender,
  context: RequestContext,
): Promise<void> {
  if (!contract?.rate) return
  const limit = parseRateLimit(contract.rate)
  const nowMs = app.clock.now().epochMilliseconds
  /** The network, and its site: one customer may have 65,536 networks. */
  const takeOfNetworks = async (times: number) => {
    for (const { key, factor } of listNetworks(context.address)) {
      const waitMs = await limiter.take(`${name} ${key}`, multiply(limit, times * factor), nowMs)
      if (waitMs > 0) return waitMs
    }
    return 0
  }
  let waitMs =
    viewer.kind === 'none'
      ? await takeOfNetworks(1)
      : await limiter.take(
          `${name} ${viewer.kind === 'staff' ? 'staff ' : ''}${viewer.id}`,
          limit,
          nowMs,
        )
  // A guest who is refused anyway takes nothing from the other guests of the network.
  if (waitMs === 0 && viewer.kind === 'guest') {
    waitMs = await takeOfNetworks(NETWORK_FACTOR)
    if (waitMs > 0 && kind !== 'signal' && name !== 'CAPTCHA')
      return requireRecentCaptcha(app, { purpose: 'activity', viewer, context })
  }
  if (waitMs > 0) throw new Refusal('too_many', { retry_after: Math.ceil(waitMs / 1000) })
}

function multiply({ burst, per_second }: RateLimit, times: number): RateLimit {
  return { burst: burst * times, per_second: per_second * times }
}

async function readInput(request: DispatchRequest): Promise<unknown> {
  const parsed = await request.parse()
  if ('issues' in parsed) throw new Refusal('invalid', { fields: listFields(parsed.issues) })
  const nul = nulIn(parsed.input)
  if (nul !== undefined)
    throw new Refusal('invalid', { fields: [{ path: nul, message: 'No text has a NUL' }] })
  return parsed.input
}

/** A refusal that the contract lists is the answer; everything else is logged and answered as `internal`. */
function failureFrom(
  app: App,
  request: DispatchRequest,
  { request_id }: RequestContext,
  error: unknown,
): DispatchFailure {
  const listed: readonly string[] = [...(request.contract?.refuses ?? []), ...everyCall]
  if (isRefusal(error) && listed.includes(error.refusal))
    return getFailure(error.refusal, error.additional)
  const details = { request_id, request: request.name, err: error }
  if (isDatabaseUnavailable(error)) {
    app.log.warn(details, 'the database did not answer')
    return getFailure('draining', { retry_after: UNAVAILABLE_RETRY_SECONDS })
  }
  const id = randomUUID()
  app.log.error(
    { error_id: id, ...details },
    isRefusal(error)
      ? `the handler refused with ${error.refusal}, which its contract does not list`
      : 'the handler failed',
  )
  return getFailure('internal', { id })
}

function report(
  app: App,
  request: DispatchRequest,
  { request_id }: RequestContext,
  result: DispatchResult,
  tookMs: number,
): void {
  const name = request.contract ? request.name : 'unknown'
  const code = result.ok ? 0 : result.failure.code
  app.metrics.called(request.kind, name, code, tookMs / 1000)
  app.log.debug({ request_id, request: name, code, took_ms: Math.round(tookMs) }, 'answered')
}

/** A refusal in the form of the wire. */
export function getFailure(
  refusal: RefusalName,
  additional: Readonly<Record<string, unknown>> = {},
): DispatchFailure {
  const { code, http, message } = refusals[refusal]
  return { ok: false, refusal, http, failure: { code, name: refusal, message, additional } }
}

export function getPrincipal(viewer: Sender): Principal {
  return viewer.kind === 'guest' ? { kind: 'guest', role: null } : viewer
}

function listFields(issues: readonly z.core.$ZodIssue[]): { path: string; message: string }[] {
  return issues
    .slice(0, 50)
    .map(({ path, message }) => ({ path: path.map(String).join('.'), message }))
}

/** In tests, an answer that its contract does not describe, or that has more fields, fails the request. */
function assertKeepsContract(request: DispatchRequest, data: unknown): void {
  const result = request.answers!.safeParse(data ?? {})
  if (!result.success)
    throw new Error(
      `Impossible: ${request.name} answers against its contract: ${result.error.message}`,
    )
  const beyond = beyondContract(data, result.data)
  if (beyond !== undefined)
    throw new Error(
      `Impossible: ${request.name} answers ${beyond}, which its contract does not have`,
    )
}

function beyondContract(answer: unknown, allowed: unknown, path = ''): string | undefined {
  if (
    typeof answer !== 'object' ||
    answer === null ||
    typeof allowed !== 'object' ||
    allowed === null
  )
    return undefined
  for (const [key, value] of Object.entries(answer)) {
    if (value === undefined) continue
    const here = path ? `${path}.${key}` : key
    if (!Object.hasOwn(allowed, key)) return here
    const deeper = beyondContract(value, (allowed as Record<string, unknown>)[key], here)
    if (deeper !== undefined) return deeper
  }
  return undefined
}
