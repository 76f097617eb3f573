import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { PasskeyAnswer } from '@duet/protocol'
import { api } from './api.ts'

type Question = Parameters<typeof startAuthentication>[0]['optionsJSON']
type NewQuestion = Parameters<typeof startRegistration>[0]['optionsJSON']

/** Asks the device for a passkey; undefined when the person closed the question of the browser. */
export async function answerByPasskey(): Promise<PasskeyAnswer | undefined> {
  const optionsJSON = (await api.post('v2/manager/passkey/options', {})) as unknown as Question
  return startAuthentication({ optionsJSON }).then(
    (answer) => answer as unknown as PasskeyAnswer,
    () => undefined,
  )
}

/** Makes a passkey on this device; undefined when the person closed the question of the browser. */
export async function newPasskey(token: string): Promise<PasskeyAnswer | undefined> {
  const options = await api.post('v2/manager/passkey/options', { token })
  return startRegistration({ optionsJSON: options as unknown as NewQuestion }).then(
    (answer) => answer as unknown as PasskeyAnswer,
    () => undefined,
  )
}
