import { createAltcha, isAltcha } from './altcha.ts'
import type { Captcha, CaptchaProvider } from './captcha.ts'
import { createHcaptcha, createTurnstile } from './site-verify.ts'

export interface CaptchaAccess {
  readonly kind: 'altcha' | 'turnstile' | 'hcaptcha'
  readonly rounds: number
  /** The site key and secret of Turnstile or hCaptcha, and the address that verifies. */
  readonly key: string
  readonly secret: string
  readonly verify_url: string
}

interface CaptchaParts {
  readonly secret: Buffer
  readonly now: () => Temporal.Instant
  readonly onUnavailable: (error: unknown) => void
}

/** After a failure of the provider, challenges are built-in challenges for this long. */
const UNAVAILABLE_MS = 60_000
/** A browser that cannot load the provider's script sends this. */
const UNREACHABLE_PAYLOAD = 'unreachable'
/** The built-in challenge in place of a provider's costs more: otherwise every robot would ask for it. */
const BUILT_IN_FACTOR = 4

/** The configured provider, and ALTCHA where it does not answer: a provider that is away locks no user out. */
export function createCaptcha(access: CaptchaAccess, parts: CaptchaParts): Captcha {
  const { now, secret } = parts
  if (access.kind === 'altcha') {
    const altcha = createAltcha({ secret, rounds: access.rounds, now })
    return { ...altcha, issueBuiltIn: (binding) => altcha.issue(binding) }
  }
  let awayUntilMs = 0
  const remote = createRemote(access, {
    now,
    onUnavailable(error) {
      awayUntilMs = now().epochMilliseconds + UNAVAILABLE_MS
      parts.onUnavailable(error)
    },
  })
  const builtIn = createAltcha({ secret, rounds: access.rounds * BUILT_IN_FACTOR, now })
  return {
    kind: remote.kind,
    public_key: remote.public_key,
    issue: (binding) => (now().epochMilliseconds < awayUntilMs ? builtIn : remote).issue(binding),
    issueBuiltIn: (binding) => builtIn.issue(binding),
    // A client with a signed built-in challenge was given it.
    async verify(payload, of) {
      if (payload === UNREACHABLE_PAYLOAD) return { ok: false, reason: 'unavailable' }
      return (isAltcha(payload) ? builtIn : remote).verify(payload, of)
    },
  }
}

function createRemote(
  { kind, key, secret, verify_url: url }: CaptchaAccess,
  parts: Pick<CaptchaParts, 'now' | 'onUnavailable'>,
): CaptchaProvider {
  const options = { key, secret, url, ...parts }
  return kind === 'turnstile' ? createTurnstile(options) : createHcaptcha(options)
}
