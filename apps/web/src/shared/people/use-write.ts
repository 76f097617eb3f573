import { useNavigate } from 'react-router'
import { isRefused } from '@duet/client'
import type { UserInterlocutor } from '@duet/protocol'
import { useAppServices } from '../app-services.tsx'
import { t } from '../i18n.ts'
import { showToast } from '../toasts.ts'
import { usePress } from '../controls/use-press.ts'
import { dialogWith } from './dialog-with.ts'
import { sendLike } from './use-like.ts'
import { useMembership } from './use-membership.ts'

type Recipient = Pick<UserInterlocutor, 'id' | 'nick'>

/**
 * Opens the new or existing dialog with a user. A visitor logs in first, and then the action continues.
 *
 * @param onLeave closes what covers the page, before the dialog opens
 */
export function useWrite(person: Recipient, onLeave?: () => Promise<void>) {
  const { busy, writeTo } = useWriteTo(onLeave)
  return { busy, write: () => writeTo(person) }
}

/** The same for a user who is chosen later. */
export function useWriteTo(onLeave?: () => Promise<void>) {
  const { connection } = useAppServices()
  const membership = useMembership()
  const navigate = useNavigate()
  const { press: like } = usePress((person: Recipient) => sendLike(connection, person, true))
  const { busy, press: writeTo } = usePress(async (person: Recipient) => {
    if (!(await membership())) return
    let dialog_id: number
    try {
      dialog_id = await dialogWith(connection, person.id)
    } catch (error) {
      if (!isTooEarly(error)) throw error
      showToast({
        // A like of the other user replaces the toast.
        id: `write-${person.id}`,
        title: t('person.write_later', { nick: person.nick }),
        text: t('person.write_later_text', { nick: person.nick }),
        action: { label: t('person.like'), onPress: () => void like(person) },
      })
      return
    }
    await onLeave?.()
    await navigate(`/messenger/${dialog_id}`)
  })
  return { busy, writeTo: (person: Recipient) => void writeTo(person) }
}

/** The other user has to write or to like first. A like of this user can lead to both. */
function isTooEarly(error: unknown): boolean {
  return (
    isRefused(error, 'MESSENGER_START_DIALOG', 'premium_only') ||
    isRefused(error, 'MESSENGER_START_DIALOG', 'no_first_write')
  )
}
