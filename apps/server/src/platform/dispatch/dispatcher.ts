import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { Schema, Who } from '@duet/protocol/kernel/contract.ts'
import type { Failure } from '@duet/protocol/kernel/envelope.ts'
import { everyCall, refusals, type RefusalName } from '@duet/protocol/kernel/refusals.ts'
import { mayCall, type Principal } from '@duet/protocol/kernel/who.ts'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Viewer } from '../../core/viewer.ts'
import { createRateLimiter, parseRateLimit } from '../../lib/rate-limit.ts'
import { isRefusal, Refusal } from '../../lib/refusal.ts'
import { networkOf } from '../http/client-address.ts'
import type { PendingWork } from '../pending-work.ts'
import type { Handler } from './contract-registry.ts'
import { isDatabaseUnavailable } from '../database/database-unavailable.ts'
import { nulIn } from './json-guard.ts'

/** What action, endpoint and signal have in common for the dispatcher. */
export interface DispatchRequest {
  readonly kind: 'action' | 'endpoint' | 'signal'
  readonly name: string
  /** Undefined: the protocol knows no such call. */
  readonly contract:
    | {
        readonly who: Who | readonly Who[]
        readonly banned?: true
        readonly rate?: string
        readonly refuses: readonly RefusalName[]
      }
    | undefined
  readonly handler: Handler | undefined
  /** Reads and parses what came in, only once the caller may call; a list of what is wrong otherwise. */
  readonly parse: () => ParsedInput | Promise<ParsedInput>
  /** The schema of the answer. */
  readonly answers: Schema | undefined
  /** Asked only when the call exists; undefined: the caller's login has ended. */
  readonly viewer: () => Promise<Viewer | undefined>
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
  (asked: DispatchRequest, context: RequestContext): Promise<DispatchResult>
}

const rated_callers_max = 100_000
/** Guests cost nothing to make, so their network is counted too, so many times as generously. */
const network_factor = 10

/** The one way from a call to its answer, for sockets and HTTP alike. Never throws. */
export function createDispatcher(
  app: App,
  {
    busy,
    moderationInfo,
  }: {
    busy: PendingWork
    moderationInfo?: ((app: App, viewer: Viewer) => Promise<Record<string, unknown>>) | undefined
  },
): Dispatcher {
  const rates = createRateLimiter(rated_callers_max)

  function spend(asked: DispatchRequest, viewer: Viewer, context: RequestContext): void {
    if (!asked.contract?.rate) return
    const pace = parseRateLimit(asked.contract.rate)
    const now_ms = app.clock.now().epochMilliseconds
    const network = `${asked.name} ${networkOf(context.address)}`
    const waits =
      viewer.kind === 'none'
        ? [rates.take(network, pace, now_ms)]
        : [rates.take(`${asked.name} ${viewer.id}`, pace, now_ms)]
    if (viewer.kind === 'guest') {
      waits.push(
        rates.take(
          network,
          { burst: pace.burst * network_factor, per_second: pace.per_second * network_factor },
          now_ms,
        ),
      )
    }
    const wait_ms = Math.max(...waits)
    if (wait_ms > 0) throw new Refusal('too_many', { retry_after: Math.ceil(wait_ms / 1000) })
  }

  async function permit(asked: DispatchRequest): Promise<Viewer> {
    const viewer = await asked.viewer()
    if (viewer === undefined) throw new Refusal('session_invalid')
    const verdict = mayCall(principalOf(viewer), asked.contract!)
    if (verdict)
      throw new Refusal(
        verdict,
        verdict === 'banned' ? await moderationInfo?.(app, viewer) : undefined,
      )
    return viewer
  }

  async function answer(asked: DispatchRequest, context: RequestContext): Promise<unknown> {
    if (!asked.contract || !asked.handler) throw new Refusal('unknown_call')
    const viewer = await permit(asked)
    spend(asked, viewer, context)
    const parsed = await asked.parse()
    if ('issues' in parsed) throw new Refusal('invalid', { fields: fieldsOf(parsed.issues) })
    const nul = nulIn(parsed.input)
    if (nul !== undefined)
      throw new Refusal('invalid', { fields: [{ path: nul, message: 'No text has a NUL' }] })
    const data = await asked.handler(app, viewer, parsed.input, context)
    if (asked.answers && app.config.answers_checked) holdToContract(asked, data)
    return data
  }

  function fail(asked: DispatchRequest, context: RequestContext, error: unknown): DispatchFailure {
    const listed: readonly string[] = [...(asked.contract?.refuses ?? []), ...everyCall]
    if (isRefusal(error) && listed.includes(error.refusal))
      return failureOf(error.refusal, error.additional)
    if (isDatabaseUnavailable(error)) {
      app.log.warn(
        { request_id: context.request_id, call: asked.name, err: error },
        'the database did not answer',
      )
      return failureOf('draining', { retry_after: 5 })
    }
    const id = randomUUID()
    const what = isRefusal(error)
      ? `refused ${error.refusal}, which its contract does not list`
      : 'failed'
    app.log.error(
      { error_id: id, request_id: context.request_id, call: asked.name, err: error },
      `a call ${what}`,
    )
    return failureOf('internal', { id })
  }

  return (asked, context) => {
    const began = performance.now()
    const reply = answer(asked, context).then(
      (data): DispatchResult => ({ ok: true, data }),
      (error: unknown): DispatchResult => fail(asked, context, error),
    )
    return busy.track(reply).then((said) => {
      const known = asked.contract ? asked.name : 'unknown'
      const took_ms = performance.now() - began
      const code = said.ok ? 0 : said.failure.code
      app.metrics.called(asked.kind, known, code, took_ms / 1000)
      app.log.debug(
        { request_id: context.request_id, call: known, code, took_ms: Math.round(took_ms) },
        'called',
      )
      return said
    })
  }
}

/** A refusal as the wire says it. */
export function failureOf(
  refusal: RefusalName,
  additional: Readonly<Record<string, unknown>> = {},
): DispatchFailure {
  const { code, http, message } = refusals[refusal]
  return { ok: false, refusal, http, failure: { code, name: refusal, message, additional } }
}

export function principalOf(viewer: Viewer): Principal {
  return viewer.kind === 'guest' ? { kind: 'guest', role: null } : viewer
}

function fieldsOf(issues: readonly z.core.$ZodIssue[]): { path: string; message: string }[] {
  return issues
    .slice(0, 50)
    .map(({ path, message }) => ({ path: path.map(String).join('.'), message }))
}

/** In tests an answer that its contract does not describe, or that says more, is a bug found now. */
function holdToContract(asked: DispatchRequest, data: unknown): void {
  const result = asked.answers!.safeParse(data ?? {})
  if (!result.success)
    throw new Error(
      `Impossible: ${asked.name} answers against its contract: ${result.error.message}`,
    )
  const beyond = beyondContract(data, result.data)
  if (beyond !== undefined)
    throw new Error(`Impossible: ${asked.name} answers ${beyond}, which its contract does not have`)
}

function beyondContract(said: unknown, allowed: unknown, path = ''): string | undefined {
  if (typeof said !== 'object' || said === null || typeof allowed !== 'object' || allowed === null)
    return undefined
  for (const [key, value] of Object.entries(said)) {
    if (value === undefined) continue
    const here = path ? `${path}.${key}` : key
    if (!Object.hasOwn(allowed, key)) return here
    const deeper = beyondContract(value, (allowed as Record<string, unknown>)[key], here)
    if (deeper !== undefined) return deeper
  }
  return undefined
}
