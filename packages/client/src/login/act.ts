import type { Ack, ActionName, Sent } from '@duet/protocol'
import { isSessionInvalid } from '../call-errors.ts'
import type { ConnectionState } from '../connection-state.ts'
import type { ReconnectingSocket } from '../reconnecting-socket.ts'
import type { AuthAnswer } from './authentication.ts'

export type Act = ReturnType<typeof createAct>

export function createAct(
  state: ConnectionState,
  socket: Pick<ReconnectingSocket, 'request'>,
  authenticate: () => Promise<AuthAnswer>,
) {
  /**
   * Sends an action once AUTH has answered. Rejects with `NoAnswerError` or `RefusedError`. `isRefused` narrows a
   * refusal to the refusals of the action's contract. After `session_invalid` the action is repeated once, after AUTH.
   */
  return async <A extends ActionName>(action: A, data: Sent<A>): Promise<Ack<A>> => {
    await state.whenReady()
    try {
      return (await socket.request(action, data)) as Ack<A>
    } catch (error) {
      if (!isSessionInvalid(error)) throw error
      await authenticate()
      return (await socket.request(action, data)) as Ack<A>
    }
  }
}
