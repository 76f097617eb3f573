import { z } from 'zod'

/**
 * `additional.challenge` of 600. The solution returns as `payload` of CAPTCHA, or in the header `Captcha`
 * of the repeated HTTP call. For ALTCHA it is the base64 of `{ challenge, solution }` in JSON, for other
 * providers their token. `unreachable` says that the provider's script does not load. The next 600 then has
 * a challenge of ALTCHA.
 */
export const CaptchaChallenge = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('altcha'),
    challenge: z.looseObject({
      parameters: z.looseObject({ algorithm: z.string(), cost: z.int() }),
      signature: z.string(),
    }),
  }),
  z.object({
    kind: z.literal('turnstile'),
    key: z.string(),
    action: z.string(),
    cdata: z.string(),
  }),
  z.object({ kind: z.literal('hcaptcha'), key: z.string() }),
])
export type CaptchaChallenge = z.output<typeof CaptchaChallenge>
