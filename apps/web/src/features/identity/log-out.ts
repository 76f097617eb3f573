import type { NavigateFunction } from 'react-router'
import { mayLeave } from '../../shared/navigation/leave-guard.ts'
import type { AppServices } from '../../shared/app-services.tsx'

/** Ends the login on this device, or every login of the user, unless changes are to be saved first. */
export async function logOut(
  { connection, report }: AppServices,
  navigate: NavigateFunction,
  everywhere = false,
): Promise<void> {
  try {
    if (!(await mayLeave())) return
    await navigate('/')
    await connection.logout(everywhere)
  } catch (error) {
    report(error)
  }
}
