import type { NavigateFunction } from 'react-router'
import type { AppServices } from '../../shared/app-services.tsx'

/** Ends the login on this device; the page continues as a guest's. */
export async function logOut(
  { connection, report }: AppServices,
  navigate: NavigateFunction,
): Promise<void> {
  try {
    await navigate('/')
    await connection.logout()
  } catch (error) {
    report(error)
  }
}
