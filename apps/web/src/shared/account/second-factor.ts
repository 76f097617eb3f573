import type { PasskeyAnswer } from '@duet/protocol'
import { dialogs } from '../dialogs.ts'
import { RefusedError } from '../app-services.tsx'

/** The proof of a second factor: a one-time or spare code, or the answer of a passkey. */
export interface GivenFactor {
  readonly otp?: string
  readonly passkey?: PasskeyAnswer
}

/**
 * Makes a call. If the call needs the second factor, asks the user and makes the call again. If the user closes the
 * dialog, the result is undefined. Other errors are thrown.
 */
export async function withFactor<T>(
  call: (proof: GivenFactor) => Promise<T>,
): Promise<{ readonly answer: T } | undefined> {
  let proof: GivenFactor = {}
  for (let tries = 0; ; tries += 1) {
    try {
      return { answer: await call(proof) }
    } catch (error) {
      if (!(error instanceof RefusedError) || error.refusal !== 'second_factor') throw error
      const { methods } = error.additional
      const input = { methods: Array.isArray(methods) ? methods : ['otp'], is_wrong: tries > 0 }
      const given = await dialogs.ask('second_factor', input)
      if (!given) return undefined
      proof = given
    }
  }
}
