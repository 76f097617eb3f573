import { useCallback } from 'react'
import { isRegistered } from '../account/auth-status.ts'
import { dialogs } from '../dialogs.ts'
import { useAppServices } from '../app-services.tsx'

/** For an action of members. Resolves to true if the user is a member, or has now logged in or registered. */
export function useMembership(): () => Promise<boolean> {
  const { connection } = useAppServices()
  return useCallback(async () => {
    if (isRegistered(connection.getSnapshot().auth?.user)) return true
    return (await dialogs.ask('login', { reason: 'registered_only' })) === true
  }, [connection])
}
