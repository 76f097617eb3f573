import { useRef } from 'react'
import type { User } from '@duet/protocol'
import { useAppServices, useOwnUser } from '../app-services.tsx'

/** The fields of the own record that are saved separately, without a form. */
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

/**
 * A field of the own record. Undefined until the record is here. A change shows at once. If the server refuses the
 * change, the field returns to the server's value.
 */
export function useOwnField<Field extends OwnField>(
  field: Field,
): [User[Field] | undefined, (value: User[Field]) => void] {
  const { connection, report } = useAppServices()
  const shown = useOwnUser()?.[field]
  /**
   * The server's value while changes are on their way. The server may refuse the value that the page shows meanwhile.
   */
  const stored = useRef<{ value: User[Field] | undefined; waiting: number }>({
    value: shown,
    waiting: 0,
  })
  const change = (value: User[Field]) => {
    const known = stored.current
    if (known.waiting === 0) known.value = shown
    known.waiting += 1
    connection.patchUser({ [field]: value })
    connection
      .act('UPDATE_PROFILE', { [field]: value })
      .then(
        () => {
          known.value = value
        },
        (error: unknown) => {
          // A newer change of the field stays.
          const present = connection.getSnapshot().auth?.user as User | undefined
          if (present?.[field] === value) connection.patchUser({ [field]: known.value })
          report(error)
        },
      )
      .finally(() => {
        known.waiting -= 1
      })
  }
  return [shown, change]
}
