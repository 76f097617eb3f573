import type { Gender } from '@duet/protocol/kernel/roles.ts'
import { useCallback } from 'react'
import { dialogs } from '../dialogs.ts'
import { useAppServices } from '../app-services.tsx'

/**
 * Asks for age, terms and gender unless they are known. Resolves to true when all are confirmed. Call this before the
 * camera opens, never after.
 */
export function useAgeConfirmation(): () => Promise<boolean> {
  const services = useAppServices()
  return useCallback(async () => {
    const { connection, persistence, report } = services
    const user = connection.getSnapshot().auth?.user
    if (user?.age_confirmed && user.gender) return true
    const sex = persistence.get('sex')
    if (!persistence.get('age_accepted') || !sex)
      return (await dialogs.ask('age_confirmation', {})) === true
    try {
      // A new guest on a device that has already answered: the answer is sent again, not asked again.
      await confirmAge(services, sex)
      return true
    } catch (error) {
      report(error)
      return false
    }
  }, [services])
}

type AgeConfirmationServices = Pick<ReturnType<typeof useAppServices>, 'connection' | 'persistence'>

/** Sends the confirmation of age and terms to the server. */
export async function confirmAdult({
  connection,
}: Pick<AgeConfirmationServices, 'connection'>): Promise<void> {
  if (!connection.getSnapshot().auth?.user.age_confirmed)
    await connection.http.post('age/confirm', { confirmed: true, terms: true })
  connection.patchUser({ age_confirmed: true })
}

/** Sends the confirmation and the gender to the server and stores them on this device. */
export async function confirmAge(
  { connection, persistence }: AgeConfirmationServices,
  sex: Gender,
): Promise<void> {
  await confirmAdult({ connection })
  const user = connection.getSnapshot().auth?.user
  if (!user?.gender) {
    const answer = await connection.act('UPDATE_PROFILE', { gender: sex })
    connection.patchUser(answer.user)
  }
  persistence.set('age_accepted', true)
  persistence.set('sex', user?.gender ?? sex)
}
