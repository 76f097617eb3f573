import { StartRefused } from '../../lib/configuration/start-refused.ts'
import {
  choice,
  count,
  type Installation,
  origin,
  secret,
  text,
  type Values,
} from '../../lib/configuration/variables.ts'

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
}

/** The documented test keys of Turnstile and hCaptcha: they verify everybody. */
const TEST_KEY = /^(?:[123]x0{20}|10000000-ffff-ffff-ffff-|0x0{40}$)/
const PRODUCTION_ROUNDS_MIN = 100

export const CAPTCHA_VARIABLES = {
  CAPTCHA: choice('altcha', 'turnstile', 'hcaptcha')
    .prefault('altcha')
    .describe(
      'Who verifies that a person is at the other end, where the limits ask for it. ALTCHA is built in and calls no other server; it is also what happens while another provider does not answer.',
    ),
  CAPTCHA_ROUNDS: count('a number from 1 to 1000000', 1, 1_000_000)
    .prefault('5000')
    .describe(
      'The work of ALTCHA: rounds of each derivation, of which a browser does 256 on average. 5000 is about half a second of a laptop.',
    ),
  CAPTCHA_SITE_KEY: text('the site key of Turnstile or hCaptcha', 1, 200).describe(
    'Belongs to CAPTCHA.',
  ),
  CAPTCHA_SECRET: secret('the secret of that site key').describe('Belongs to CAPTCHA.'),
  CAPTCHA_URL: origin.describe(
    'Where tokens are verified, when it is not the origin that the provider documents.',
  ),
}

export function readCaptcha(
  values: Values<typeof CAPTCHA_VARIABLES>,
  { production }: Installation,
) {
  const { CAPTCHA: kind, CAPTCHA_ROUNDS: rounds, CAPTCHA_URL } = values
  const { CAPTCHA_SITE_KEY: key, CAPTCHA_SECRET: secret } = values
  if (kind === 'altcha') {
    if (production && rounds < PRODUCTION_ROUNDS_MIN)
      throw new StartRefused('CAPTCHA_ROUNDS must be 100 or more when NODE_ENV is production.')
    return { kind, rounds, key: '', secret: '', verify_url: '', sources: [] }
  }
  if (!key || !secret)
    throw new StartRefused(`CAPTCHA=${kind} must come with CAPTCHA_SITE_KEY and CAPTCHA_SECRET.`)
  if (production && (TEST_KEY.test(key) || TEST_KEY.test(secret)))
    throw new StartRefused(
      'CAPTCHA_SITE_KEY and CAPTCHA_SECRET must not be the test keys when NODE_ENV is production: they verify everybody.',
    )
  const { origin: documented, path, sources } = PROVIDERS[kind]
  return { kind, rounds, key, secret, verify_url: `${CAPTCHA_URL ?? documented}${path}`, sources }
}
