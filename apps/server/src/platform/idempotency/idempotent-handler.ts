import { createHash } from 'node:crypto'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import { perApp } from '../../core/app-state.ts'
import { assert } from '../../lib/assert.ts'
import { refuse } from '../../lib/refusal.ts'
import type { Handler } from '../dispatch/contract-registry.ts'
import { claimKey, type KeyedRequest, releaseKey, storeAnswer } from './answer-store.ts'

const RETRY_AFTER_S = 1

interface RunningRequest {
  readonly hash: Buffer
  readonly answer: Promise<unknown>
}

const runningRequests = perApp(
  'idempotency: running requests',
  'requests with an Idempotency-Key that run in this process; their repeats are answered from the table',
  () => new Map<string, RunningRequest>(),
)

/**
 * Answers a repeated request from the table of answers, for requests of users that carry an
 * Idempotency-Key. The handler stores its answer by `context.storeAnswer` inside its transaction. A refusal
 * is not stored: nothing happened, so the same key may be tried again.
 * @throws Refusal key_reused: the key came with another endpoint or body; too_many: another process runs
 * this request
 */
export function idempotentHandler(name: string, handler: Handler): Handler {
  return (app, viewer, input, context) => {
    if (context.idempotency_key === undefined || viewer.kind === 'none')
      return handler(app, viewer, input, context)
    const request: KeyedRequest = {
      // Ids of staff are their own: below zero they cannot meet those of users.
      user_id: viewer.kind === 'staff' ? -viewer.id : viewer.id,
      key: context.idempotency_key,
      hash: computeHash(name, input, context.files),
    }
    return answerOnce(app, request, context, (withStore) => handler(app, viewer, input, withStore))
  }
}

/** A repeat that arrives while the first request runs in this process waits for its answer. */
async function answerOnce(
  app: App,
  request: KeyedRequest,
  context: RequestContext,
  run: (context: RequestContext) => Promise<unknown>,
): Promise<unknown> {
  const running = runningRequests(app)
  const id = `${request.user_id} ${request.key}`
  const first = running.get(id)
  if (first) return first.hash.equals(request.hash) ? first.answer : refuse('key_reused')
  const answer = claimAndRun(app, request, context, run)
  running.set(id, { hash: request.hash, answer })
  try {
    return await answer
  } finally {
    running.delete(id)
  }
}

async function claimAndRun(
  app: App,
  request: KeyedRequest,
  context: RequestContext,
  run: (context: RequestContext) => Promise<unknown>,
): Promise<unknown> {
  const claimed = await claimKey(app, request)
  if (claimed.type === 'reused') refuse('key_reused')
  if (claimed.type === 'running') refuse('too_many', { retry_after: RETRY_AFTER_S })
  if (claimed.type === 'answered') return claimed.answer
  let isStored = false
  const answer = await run({
    ...context,
    async storeAnswer(tx, given) {
      await storeAnswer(tx, request, claimed.claim, given)
      isStored = true
      return given
    },
  }).catch(async (error: unknown) => {
    await releaseKey(app, request, claimed.claim).catch((cause: unknown) =>
      app.log.warn({ err: cause }, 'an idempotency key could not be released, it expires'),
    )
    throw error
  })
  // The handler has committed: the key is not released, so that a repetition cannot commit again.
  assert(isStored, 'an idempotent endpoint stores its answer in its transaction')
  return answer
}

/** The digest of a request: a file counts with its bytes and not with its name. */
function computeHash(name: string, input: unknown, files: RequestContext['files']): Buffer {
  const hash = createHash('sha256').update(`${name} ${canonicalJson(input)}`)
  for (const [field, { bytes }] of files ?? [])
    hash.update(` ${field} ${createHash('sha256').update(bytes).digest('hex')}`)
  return hash.digest()
}

/** JSON with sorted keys, so that the order of the fields in the request does not matter. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(
          Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)),
        )
      : part,
  )
}
