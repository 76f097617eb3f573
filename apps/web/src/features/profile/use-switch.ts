import type { User } from '@duet/protocol'
import { useAppServices, useOwnUser } from '../../shared/app-services.tsx'

/** The fields of the own record that are on or off. */
type SwitchField = {
  [Field in keyof User]: User[Field] extends boolean ? Field : never
}[keyof User] &
  ('show_country' | 'safe_video' | 'auto_accept' | 'available' | 'premium_calls_only')

/** A switch of the own record: it changes at once, and back if the server refuses. */
export function useSwitch(field: SwitchField): [boolean, (on: boolean) => void] {
  const { connection, report } = useAppServices()
  const user = useOwnUser()
  const turn = (on: boolean) => {
    connection.patchUser({ [field]: on })
    connection.act('UPDATE_PROFILE', { [field]: on }).catch((error: unknown) => {
      connection.patchUser({ [field]: !on })
      report(error)
    })
  }
  return [user?.[field] ?? false, turn]
}
