import { createHash } from 'node:crypto'
import type { CaptchaBinding, CaptchaProvider, CaptchaVerdict } from './captcha.ts'

export interface SiteVerifyOptions {
  /** The site key, which browsers show to the provider. */
  readonly key: string
  readonly secret: string
  /** The address of the provider's `siteverify`. */
  readonly url: string
  readonly now: () => Temporal.Instant
  /** Called when the provider does not answer. */
  readonly onUnavailable: (error: unknown) => void
}

const ANSWER_LIMIT_MS = 5_000
const TOKEN_CHARACTERS_MAX = 8_192
/** Longer than the tokens of both providers hold: until then a copy is recognised here too. */
const TOKEN_MINUTES = 10

/** Cloudflare Turnstile. Its token names the purpose and the session that the widget was given. */
export function createTurnstile(options: SiteVerifyOptions): CaptchaProvider {
  const { key } = options
  return {
    kind: 'turnstile',
    public_key: key,
    issue: async ({ purpose, session }: CaptchaBinding) => ({
      kind: 'turnstile',
      key,
      action: purpose,
      cdata: session,
    }),
    verify: (payload, { session, address }) =>
      verifyToken(options, payload, { remoteip: address }, ({ action, cdata }) =>
        cdata === session && typeof action === 'string' ? { purpose: action } : 'foreign',
      ),
  }
}

/** hCaptcha. Its token names neither a purpose nor a session: it is good once, for what its session was asked for. */
export function createHcaptcha(options: SiteVerifyOptions): CaptchaProvider {
  const { key } = options
  return {
    kind: 'hcaptcha',
    public_key: key,
    issue: async () => ({ kind: 'hcaptcha', key }),
    verify: (payload, { address }) =>
      verifyToken(options, payload, { remoteip: address, sitekey: key }, () => ({
        purpose: undefined,
      })),
  }
}

type SiteVerifyReply = Readonly<Record<string, unknown>>

async function verifyToken(
  { url, secret, now, onUnavailable }: SiteVerifyOptions,
  token: string,
  fields: Readonly<Record<string, string>>,
  bindingOf: (reply: SiteVerifyReply) => { readonly purpose: string | undefined } | 'foreign',
): Promise<CaptchaVerdict> {
  if (token.length > TOKEN_CHARACTERS_MAX) return { ok: false, reason: 'invalid' }
  let reply: SiteVerifyReply
  try {
    reply = await askProvider(url, { secret, response: token, ...fields })
  } catch (error) {
    onUnavailable(error)
    return { ok: false, reason: 'unavailable' }
  }
  if (reply.success !== true) return { ok: false, reason: 'invalid' }
  const binding = bindingOf(reply)
  if (binding === 'foreign') return { ok: false, reason: 'foreign' }
  return {
    ok: true,
    purpose: binding.purpose,
    once_key: createHash('sha256').update(token).digest('base64url'),
    expires_at: now().add({ minutes: TOKEN_MINUTES }),
  }
}

/** A form, which both providers accept. @throws without an answer, or if the answer is not the provider's JSON */
async function askProvider(
  url: string,
  fields: Readonly<Record<string, string>>,
): Promise<SiteVerifyReply> {
  const answer = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  })
  const reply: unknown = await answer.json()
  if (typeof reply !== 'object' || reply === null || !('success' in reply))
    throw new Error(`siteverify answered ${answer.status} without a result`)
  if (isMisconfigured(reply)) throw new Error('siteverify does not accept the secret')
  return reply as SiteVerifyReply
}

/** A wrong secret verifies no user: the same as a provider that is away, so that no user is locked out by it. */
function isMisconfigured(reply: object): boolean {
  const codes =
    'error-codes' in reply && Array.isArray(reply['error-codes']) ? reply['error-codes'] : []
  return codes.some((code) =>
    ['missing-input-secret', 'invalid-input-secret', 'internal-error'].includes(String(code)),
  )
}
