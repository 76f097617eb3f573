import type { NavigateFunction } from 'react-router'
import type { AppServices } from '../../shared/app-services.tsx'

/** Ends the login on this device, or every login of the user; the page continues as a guest's. */
export async function logOut(
  { connection, report }: AppServices,
  navigate: NavigateFunction,
  everywhere = false,
): Promise<void> {
  try {
    await navigate('/')
    await connection.logout(everywhere)
  } catch (error) {
    report(error)
  }
}
