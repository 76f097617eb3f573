import { useCallback } from 'react'
import { isRegistered } from '../account/auth-status.ts'
import { dialogs } from '../dialogs.ts'
import { useAppServices } from '../app-services.tsx'

/** For an action of members: resolves with true when the user is one, or has logged in or registered now. */
export function useMembership(): () => Promise<boolean> {
  const { connection } = useAppServices()
  return useCallback(async () => {
    if (isRegistered(connection.getSnapshot().auth?.user)) return true
    return (await dialogs.ask('login', { reason: 'registered_only' })) === true
  }, [connection])
}
