import type { User } from '@duet/protocol'
import { useAppServices, useOwnUser } from '../app-services.tsx'

/** The fields of the own record that are saved one at a time, without a form. */
type OwnField =
  | 'show_country'
  | 'safe_video'
  | 'auto_accept'
  | 'available'
  | 'premium_calls_only'
  | 'hide_countries'
  | 'quiet_hours'
  | 'noty_email'
  | 'noty_wanted_girl'
  | 'noty_premium_guest'

/** A field of the own record, undefined before the record is here: it changes at once, and back if the server refuses. */
export function useOwnField<Field extends OwnField>(
  field: Field,
): [User[Field] | undefined, (value: User[Field]) => void] {
  const { connection, report } = useAppServices()
  const before = useOwnUser()?.[field]
  const change = (value: User[Field]) => {
    connection.patchUser({ [field]: value })
    connection.act('UPDATE_PROFILE', { [field]: value }).catch((error: unknown) => {
      // A newer change of the field stands.
      const present = connection.getSnapshot().auth?.user as User | undefined
      if (present?.[field] === value) connection.patchUser({ [field]: before })
      report(error)
    })
  }
  return [before, change]
}
