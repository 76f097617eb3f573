import { useNavigate } from 'react-router'
import { isRefused } from '@duet/client'
import type { UserInterlocutor } from '@duet/protocol'
import { useAppServices } from '../app-services.tsx'
import { t } from '../i18n.ts'
import { showToast } from '../toasts.ts'
import { usePress } from '../controls/use-press.ts'
import { useMembership } from './use-membership.ts'

type Recipient = Pick<UserInterlocutor, 'id' | 'nick'>

/** Opens the new or existing dialog with a user. A visitor logs in first, and then the action continues. */
export function useWrite(person: Recipient) {
  const { busy, writeTo } = useWriteTo()
  return { busy, write: () => writeTo(person) }
}

/** The same for a user who is chosen later. */
export function useWriteTo() {
  const { connection } = useAppServices()
  const membership = useMembership()
  const navigate = useNavigate()
  const { busy, press: writeTo } = usePress(async ({ id, nick }: Recipient) => {
    if (!(await membership())) return
    try {
      await navigate(`/messenger/${await dialogWith(id)}`)
    } catch (error) {
      if (!isRefused(error, 'MESSENGER_START_DIALOG', 'premium_only')) throw error
      showToast({ title: t('person.premium_only', { nick }) })
    }
  })
  async function dialogWith(interlocutor_id: number): Promise<number> {
    try {
      return (await connection.act('MESSENGER_START_DIALOG', { interlocutor_id })).dialog_id
    } catch (error) {
      const isKnown = isRefused(error, 'MESSENGER_START_DIALOG', 'dialog_exists')
      if (isKnown && typeof error.additional.dialog_id === 'number')
        return error.additional.dialog_id
      throw error
    }
  }
  return { busy, writeTo: (person: Recipient) => void writeTo(person) }
}
