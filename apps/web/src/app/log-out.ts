import type { NavigateFunction } from 'react-router'
import type { Session } from '../lib/session.tsx'

/** Ends the login here; the page goes on as a guest's. */
export async function logOut(
  { connection, persistence, report }: Session,
  navigate: NavigateFunction,
): Promise<void> {
  try {
    await navigate('/')
    await connection.logout()
    persistence.set('member', undefined)
  } catch (error) {
    report(error)
  }
}
