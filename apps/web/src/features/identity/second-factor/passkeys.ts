import type { PasskeyAnswer } from '@duet/protocol'
import type { AppServices } from '../../../shared/app-services.tsx'
import type { GivenFactor } from '../../../shared/account/second-factor.ts'

type Http = AppServices['connection']['http']

/** Whether this browser has passkeys at all. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function'
}

/** Asks the device for a passkey of this site. Throws NotAllowedError when the user closes the window of the device. */
export async function answerWithPasskey(http: Http): Promise<PasskeyAnswer> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = await http.post('auth/passkey/options', { purpose: 'login' })
  return { ...(await startAuthentication({ optionsJSON })) }
}

/** Makes a passkey on this device and stores it under this name. */
export async function addPasskey(
  http: Http,
  name: string,
  current_password: string,
  proof: GivenFactor,
): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const question = await http.post('auth/passkey/options', {
    purpose: 'add',
    current_password,
    ...proof,
  })
  const optionsJSON = question as unknown as Parameters<typeof startRegistration>[0]['optionsJSON']
  const answer = { ...(await startRegistration({ optionsJSON })) }
  await http.post('auth/passkey/verify', { name, answer })
}

/** Whether the device gave no passkey: the user closed the device's window, or the device has no passkey. */
export function isPasskeyDeclined(error: unknown): boolean {
  const declined = ['NotAllowedError', 'AbortError', 'InvalidStateError', 'SecurityError']
  return error instanceof Error && declined.includes(error.name)
}
