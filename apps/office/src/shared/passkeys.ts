import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { PasskeyAnswer } from '@duet/protocol'
import { api, PasskeyError } from './api.ts'

type Question = Parameters<typeof startAuthentication>[0]['optionsJSON']
type NewQuestion = Parameters<typeof startRegistration>[0]['optionsJSON']

/** Undefined where the person closed the question of the browser, which it answers also when the device has no passkey. */
function ended(error: unknown): undefined {
  if (error instanceof Error && /^(NotAllowed|Abort)Error$/.test(error.name)) return undefined
  throw new PasskeyError()
}

/** Asks the device for a passkey; undefined when the person closed the question of the browser. Fails with PasskeyError. */
export async function answerByPasskey(): Promise<PasskeyAnswer | undefined> {
  const optionsJSON = (await api.post('v2/manager/passkey/options', {})) as unknown as Question
  return startAuthentication({ optionsJSON }).then(
    (answer) => answer as unknown as PasskeyAnswer,
    ended,
  )
}

/** Makes a passkey on this device; undefined when the person closed the question of the browser. Fails with PasskeyError. */
export async function newPasskey(token: string): Promise<PasskeyAnswer | undefined> {
  const options = await api.post('v2/manager/passkey/options', { token })
  return startRegistration({ optionsJSON: options as unknown as NewQuestion }).then(
    (answer) => answer as unknown as PasskeyAnswer,
    ended,
  )
}
