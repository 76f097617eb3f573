import { z } from 'zod'
import { isOrigin, type Variable } from '../variable.ts'

const rounds = z.coerce.number().pipe(z.int().min(1).max(1_000_000))

/** The variables of the captcha. */
export const CAPTCHA_VARIABLES = {
  CAPTCHA: {
    shape: z.enum(['altcha', 'turnstile', 'hcaptcha']),
    expects: 'altcha, turnstile or hcaptcha',
    meaning:
      'Who verifies that a person is at the other end, where the limits ask for it. ALTCHA is built in and calls no other server; it is also what happens while another provider does not answer.',
    fallback: 'altcha',
  },
  CAPTCHA_ROUNDS: {
    shape: rounds,
    expects: 'a number from 1 to 1000000',
    meaning:
      'The work of ALTCHA: rounds of each derivation, of which a browser does 256 on average. 5000 is about half a second of a laptop.',
    fallback: '5000',
  },
  CAPTCHA_SITE_KEY: {
    shape: z.string().min(1).max(200),
    expects: 'the site key of Turnstile or hCaptcha',
    meaning: 'Belongs to CAPTCHA.',
  },
  CAPTCHA_SECRET: {
    shape: z.string().min(8),
    expects: 'the secret of that site key',
    meaning: 'Belongs to CAPTCHA.',
  },
  CAPTCHA_URL: {
    shape: z.url().refine(isOrigin),
    expects: 'an origin',
    meaning: 'Where tokens are verified, when it is not the origin that the provider documents.',
  },
} as const satisfies Record<string, Variable>
