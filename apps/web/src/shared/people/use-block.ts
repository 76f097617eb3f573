import { useQueryClient } from '@tanstack/react-query'
import type { UserInterlocutor } from '@duet/protocol'
import { useAppServices } from '../app-services.tsx'
import { usePress } from '../controls/use-press.ts'
import { dialogs } from '../dialogs.ts'
import { t } from '../i18n.ts'
import { showToast } from '../toasts.ts'

declare module '../dialogs.ts' {
  interface DialogContracts {
    block_user: { input: { nick: string }; answer: true }
  }
}

/** Asks and then blocks a user. `onBlocked` leaves the screen that showed the user. */
export function useBlock(
  { id, nick }: Pick<UserInterlocutor, 'id' | 'nick'>,
  onBlocked: () => unknown,
) {
  const { connection } = useAppServices()
  const queries = useQueryClient()
  const { busy, press } = usePress(async () => {
    if (!(await dialogs.ask('block_user', { nick }))) return
    await connection.act('BLOCK_USER', { user_id: id })
    void queries.invalidateQueries({ queryKey: ['blocked'] })
    showToast({ title: t('person.blocked', { nick }) })
    await onBlocked()
  })
  return { busy, block: () => void press() }
}
