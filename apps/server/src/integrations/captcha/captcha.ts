/** A solved captcha is good for this: one purpose of one session. */
export interface CaptchaBinding {
  readonly purpose: string
  /** A name of the session without meaning for others, in the letters of base64url. */
  readonly session: string
}

/** A browser solves a captcha with this. */
export type IssuedChallenge =
  | { readonly kind: 'altcha'; readonly challenge: object }
  | {
      readonly kind: 'turnstile'
      readonly key: string
      readonly action: string
      readonly cdata: string
    }
  | { readonly kind: 'hcaptcha'; readonly key: string }

export type CaptchaVerdict =
  | {
      readonly ok: true
      /** The purpose that the solution names. Undefined if it names no purpose. */
      readonly purpose: string | undefined
      /** The same for each copy of one solution: the caller accepts it once. */
      readonly once_key: string
      readonly expires_at: Temporal.Instant
    }
  | { readonly ok: false; readonly reason: 'invalid' | 'expired' | 'foreign' | 'unavailable' }

/** One way to verify that a person, or an expensive machine, is at the other end. */
export interface CaptchaProvider {
  readonly kind: IssuedChallenge['kind']
  /** The key that browsers need. Undefined if browsers need no key. */
  readonly public_key: string | undefined
  issue(binding: CaptchaBinding): Promise<IssuedChallenge>
  /** A provider that does not answer has verified nothing. */
  verify(
    payload: string,
    of: { readonly session: string; readonly address: string },
  ): Promise<CaptchaVerdict>
}

/** The captcha of this installation. */
export interface Captcha extends CaptchaProvider {
  /** A challenge that needs no outside provider, for a browser that cannot reach the configured provider. */
  issueBuiltIn(binding: CaptchaBinding): Promise<IssuedChallenge>
}
