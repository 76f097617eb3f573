import { isSessionInvalid } from '../call-errors.ts'
import { SOCKET_VERSION } from './auth-request.ts'
import type { SocketOpener } from '../socket-opener.ts'
import type { Persistence } from '../storage.ts'

/**
 * Ends a login whose LOGOUT had no answer. A socket of its own is used for it: on the page's socket AUTH would show the page of
 * the user who left.
 */
export async function endLoginLater(
  persistence: Persistence,
  opener: Pick<SocketOpener, 'open'>,
): Promise<void> {
  const ended = persistence.get('ended_login')
  if (!ended) return
  try {
    await endLogin(ended, opener)
  } catch (error) {
    // Without an answer the next connection tries again.
    if (!isSessionInvalid(error)) return
  }
  if (persistence.get('ended_login')?.token === ended.token)
    persistence.set('ended_login', undefined)
}

async function endLogin(
  { token, everywhere }: { token: string; everywhere: boolean },
  opener: Pick<SocketOpener, 'open'>,
): Promise<void> {
  const socket = await opener.open({ onEvent() {}, onLoss() {} })
  try {
    await socket.request('AUTH', {
      token,
      device_type: 'web',
      version: SOCKET_VERSION,
      tab_id: crypto.randomUUID(),
    })
    await socket.request('LOGOUT', { everywhere })
  } finally {
    socket.close()
  }
}
