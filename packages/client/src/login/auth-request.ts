import type { Sent } from '@duet/protocol'
import type { AuthAnswer } from './authentication.ts'
import { RefusedError } from '../call-errors.ts'
import type { ReconnectingSocket } from '../reconnecting-socket.ts'

const SOCKET_VERSION = '2.0.1'

interface EntryFields {
  readonly ref_code?: string
  readonly signature?: string
}

export interface AuthOptions {
  readonly tabId: () => Promise<string>
  readonly locale: () => string
  /** Values of the entry link; sent with AUTH until the user has registered. */
  readonly entry?: () => EntryFields
  /** The server did not accept the values of the entry link: they are not sent again. */
  readonly onEntryRefused?: () => void
}

type Identity = Partial<Sent<'AUTH'>>

/** Sends AUTH. Values of an entry link that the server does not accept are dropped: a link must not lock a browser out. */
export async function sendAuth(
  options: AuthOptions,
  socket: Pick<ReconnectingSocket, 'request'>,
  identity: Identity,
): Promise<AuthAnswer> {
  // A user with a password has already registered, so the values of the entry link do not count.
  const entry = identity.login === undefined ? (options.entry?.() ?? {}) : {}
  const common = await commonFields(options)
  const send = async (fields: Identity) =>
    (await socket.request('AUTH', { ...fields, ...common })) as AuthAnswer
  try {
    return await send({ ...entry, ...identity })
  } catch (error) {
    const isInvalid = error instanceof RefusedError && error.refusal === 'invalid'
    if (!isInvalid || Object.keys(entry).length === 0) throw error
    options.onEntryRefused?.()
    return send(identity)
  }
}

async function commonFields({ tabId, locale }: AuthOptions): Promise<Identity> {
  return {
    device_type: 'web',
    version: SOCKET_VERSION,
    tab_id: await tabId(),
    locale: locale() as NonNullable<Identity['locale']>,
    cipher: true,
  }
}
