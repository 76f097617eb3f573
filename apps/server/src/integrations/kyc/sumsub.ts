import { createHmac, timingSafeEqual } from 'node:crypto'
import { type KycApplicant, type KycNotice, type KycProvider, KycUnavailable } from './kyc.ts'

export interface SumsubAccess {
  readonly url: string
  readonly app_token: string
  readonly request_secret: string
  readonly webhook_secret: string
  readonly level: string
  readonly digest: 'sha256' | 'sha512'
}

const ANSWER_LIMIT_MS = 10_000
const TOKEN_SECONDS = 600
const TEXT_CHARACTERS_MAX = 200
/** In these states the documents are at the provider. In `init` and every state that is not known here they may not be. */
const WAITING: ReadonlySet<unknown> = new Set(['pending', 'prechecked', 'queued', 'onHold'])

/** The signature of a request: HMAC-SHA256 over time, method, path with query, and body. */
export function signedBySumsub(
  secret: string,
  { ts, method, path, body = '' }: { ts: number; method: string; path: string; body?: string },
): string {
  return createHmac('sha256', secret).update(`${ts}${method}${path}${body}`).digest('hex')
}

/** The digest of a notice over its bytes as they arrived. */
export function digestOfNotice(
  secret: string,
  algorithm: SumsubAccess['digest'],
  body: Uint8Array,
): string {
  return createHmac(algorithm, secret).update(body).digest('hex')
}

export function createSumsub(access: SumsubAccess, now: () => Temporal.Instant): KycProvider {
  const call = (method: 'GET' | 'POST', path: string, body?: object) =>
    callSumsub(access, now(), { method, path, body: body && JSON.stringify(body) })
  return {
    frame_origin: new URL(access.url).origin,
    level: access.level,
    async createToken(userKey) {
      const body = { userId: userKey, levelName: access.level, ttlInSecs: TOKEN_SECONDS }
      const { token } = await call('POST', '/resources/accessTokens/sdk', body)
      if (typeof token !== 'string') throw new KycUnavailable('Sumsub answered without a token')
      return token
    },
    async readApplicant(applicant_id) {
      const path = `/resources/applicants/${encodeURIComponent(applicant_id)}/one`
      return getApplicant(await call('GET', path), applicant_id)
    },
    readNotice: (body, headers) => findNotice(access, body, headers),
  }
}

type Fields = Readonly<Record<string, unknown>>

async function callSumsub(
  { url, app_token, request_secret }: SumsubAccess,
  now: Temporal.Instant,
  { method, path, body }: { method: string; path: string; body: string | undefined },
): Promise<Fields> {
  const ts = Math.floor(now.epochMilliseconds / 1000)
  const headers: Record<string, string> = {
    'X-App-Token': app_token,
    'X-App-Access-Ts': String(ts),
    'X-App-Access-Sig': signedBySumsub(request_secret, { ts, method, path, ...(body && { body }) }),
  }
  if (body) headers['Content-Type'] = 'application/json'
  const answer = await fetch(`${url}${path}`, {
    method,
    headers,
    ...(body && { body }),
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  }).catch((error: unknown) => {
    throw new KycUnavailable('Sumsub does not answer', { cause: error })
  })
  // The answer may quote personal data: only its status is told.
  if (!answer.ok) throw new KycUnavailable(`Sumsub answered ${answer.status}`)
  return toFields(await answer.json().catch(() => undefined))
}

function getApplicant(fields: Fields, applicant_id: string): KycApplicant {
  if (fields.id !== applicant_id) throw new KycUnavailable('Sumsub answered another applicant')
  const review = toFields(fields.review)
  const { reviewAnswer, reviewRejectType } = toFields(review.reviewResult)
  const info = toFields(fields.info)
  const answer = toAnswer(review.reviewStatus, reviewAnswer)
  return {
    applicant_id,
    user_key: findText(fields.externalUserId) ?? '',
    level: findText(review.levelName),
    answer,
    is_final: answer === 'red' && reviewRejectType === 'FINAL',
    birthday: findText(info.dob),
    valid_until: earliestEnd(info.idDocs),
  }
}

function toAnswer(reviewStatus: unknown, reviewAnswer: unknown): KycApplicant['answer'] {
  if (WAITING.has(reviewStatus)) return 'open'
  if (reviewStatus !== 'completed') return 'incomplete'
  if (reviewAnswer === 'GREEN') return 'green'
  // A completed review without a known answer is for staff.
  return reviewAnswer === 'RED' ? 'red' : 'open'
}

/** The end of the document that expires first. */
function earliestEnd(documents: unknown): string | undefined {
  if (!Array.isArray(documents)) return undefined
  return documents
    .flatMap((one) => findText(toFields(one).validUntil) ?? [])
    .filter((day) => /^\d{4}-\d{2}-\d{2}$/.test(day))
    .toSorted()[0]
}

/** The sender's choice of an algorithm never counts: SHA-1 would otherwise be good enough for an attacker. */
function findNotice(
  { webhook_secret, digest }: SumsubAccess,
  body: Buffer,
  headers: NodeJS.Dict<string | string[]>,
): KycNotice | undefined {
  const expected = digestOfNotice(webhook_secret, digest, body)
  const given = headers['x-payload-digest']
  const algorithm = headers['x-payload-digest-alg']
  if (algorithm !== `HMAC_${digest.toUpperCase()}_HEX` || typeof given !== 'string')
    return undefined
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  if (one.length !== other.length || !timingSafeEqual(one, other)) return undefined
  let said: Fields
  try {
    said = toFields(JSON.parse(body.toString('utf8')))
  } catch {
    return undefined
  }
  const applicant_id = findText(said.applicantId)
  const created_at = findInstant(said.createdAtMs)
  const type = findText(said.type)
  if (!applicant_id || !created_at || !type) return undefined
  return {
    digest: expected,
    applicant_id,
    correlation_id: findText(said.correlationId) ?? expected,
    user_key: findText(said.externalUserId) ?? '',
    type,
    created_at,
    is_sandbox: said.sandboxMode !== false && said.sandboxMode !== undefined,
  }
}

/** `2026-01-01 00:00:00.000`, in UTC. */
function findInstant(value: unknown): Temporal.Instant | undefined {
  if (typeof value !== 'string' || value.length > 40) return undefined
  try {
    return Temporal.Instant.from(`${value.trim().replace(' ', 'T').replace(/Z$/, '')}Z`)
  } catch {
    return undefined
  }
}

function toFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function findText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= TEXT_CHARACTERS_MAX
    ? value
    : undefined
}
