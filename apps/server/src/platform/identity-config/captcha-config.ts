import { StartRefused } from '../database/start-refused.ts'
import type { Values } from '../environment.ts'

export interface CaptchaConfig {
  readonly kind: 'altcha' | 'turnstile' | 'hcaptcha'
  readonly rounds: number
  /** Empty for ALTCHA, like the two below. */
  readonly key: string
  readonly secret: string
  readonly verify_url: string
  /** The sources that the provider's script needs in the policy of our pages. */
  readonly sources: readonly string[]
}

const PROVIDERS = {
  turnstile: {
    origin: 'https://challenges.cloudflare.com',
    path: '/turnstile/v0/siteverify',
    sources: ['https://challenges.cloudflare.com'],
  },
  hcaptcha: {
    origin: 'https://api.hcaptcha.com',
    path: '/siteverify',
    sources: ['https://hcaptcha.com', 'https://*.hcaptcha.com'],
  },
} as const

/** The documented test keys of Turnstile and hCaptcha: they verify everybody. */
const TEST_KEY = /^(?:[123]x0{20}|10000000-ffff-ffff-ffff-|0x0{40}$)/

export function captchaOf(values: Values, production: boolean): CaptchaConfig {
  const { CAPTCHA_SITE_KEY: key, CAPTCHA_SECRET: secret, CAPTCHA_URL } = values
  const kind = values.CAPTCHA!
  const rounds = values.CAPTCHA_ROUNDS!
  if (kind === 'altcha') {
    if (production && rounds < 100)
      throw new StartRefused('CAPTCHA_ROUNDS must be 100 or more when NODE_ENV is production.')
    return { kind, rounds, key: '', secret: '', verify_url: '', sources: [] }
  }
  if (!key || !secret)
    throw new StartRefused(`CAPTCHA=${kind} must come with CAPTCHA_SITE_KEY and CAPTCHA_SECRET.`)
  if (production && (TEST_KEY.test(key) || TEST_KEY.test(secret)))
    throw new StartRefused(
      'CAPTCHA_SITE_KEY and CAPTCHA_SECRET must not be the test keys when NODE_ENV is production: they verify everybody.',
    )
  const { origin, path, sources } = PROVIDERS[kind]
  return { kind, rounds, key, secret, verify_url: `${CAPTCHA_URL ?? origin}${path}`, sources }
}
