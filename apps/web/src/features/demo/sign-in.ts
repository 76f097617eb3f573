import { useCallback, useState } from 'react'
import { dialogs } from '../../shared/dialogs.ts'
import { CONNECTION_WAIT_MS, useAppServices } from '../../shared/app-services.tsx'

/** Signs this window in as a demo user with one press. */
export function useDemoSignIn(): {
  busy_id: number | undefined
  signIn: (user_id: number) => void
} {
  const { connection, report } = useAppServices()
  const [busy_id, setBusy] = useState<number>()
  const signIn = useCallback(
    async (user_id: number) => {
      setBusy(user_id)
      try {
        await connection.ready(CONNECTION_WAIT_MS)
        const { token } = await connection.http.post('demo/sign-in', { user_id })
        await connection.useToken(token)
        dialogs.closeAll()
      } catch (error) {
        report(error)
      } finally {
        setBusy(undefined)
      }
    },
    [connection, report],
  )
  return { busy_id, signIn: (user_id) => void signIn(user_id) }
}
