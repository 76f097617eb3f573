import { dialogs } from '../../shared/dialogs.ts'
import { CONNECTION_WAIT_MS, useAppServices } from '../../shared/app-services.tsx'
import { usePress } from '../../shared/controls/use-press.ts'

/** Signs this window in as a demo user with a press. */
export function useDemoSignIn(): {
  busy_id: number | undefined
  signIn: (user_id: number) => void
} {
  const { connection } = useAppServices()
  const { running, press: signIn } = usePress(async (user_id: number) => {
    await connection.ready(CONNECTION_WAIT_MS)
    const { token } = await connection.http.post('demo/sign-in', { user_id })
    await connection.useToken(token)
    dialogs.closeAll()
  })
  return { busy_id: running?.[0], signIn: (user_id) => void signIn(user_id) }
}
