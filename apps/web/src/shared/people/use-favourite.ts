import type { UserInterlocutor } from '@duet/protocol'
import { isRefused } from '@duet/client'
import { useAppServices } from '../app-services.tsx'
import { dialogs } from '../dialogs.ts'
import { patchPerson } from './people.ts'
import { useMembership } from './use-membership.ts'
import { usePress } from '../controls/use-press.ts'

declare module '../dialogs.ts' {
  interface DialogContracts {
    remove_favourite: { input: { nick: string }; answer: true }
  }
}

/**
 * Adds a user to the favourites, or asks and then removes the user. A visitor logs in first, and then the action
 * continues.
 */
export function useFavourite({
  id,
  nick,
  is_favorite,
}: Pick<UserInterlocutor, 'id' | 'nick' | 'is_favorite'>) {
  const { connection } = useAppServices()
  const membership = useMembership()
  const { busy, press } = usePress(async () => {
    if (is_favorite) {
      if (!(await dialogs.ask('remove_favourite', { nick }))) return
      await connection.act('REMOVE_FAVOURITE', { user_id: id }).catch(passIfRemoved)
    } else {
      if (!(await membership())) return
      await connection.act('ADD_FAVOURITE', { user_id: id })
    }
    patchPerson(id, { is_favorite: !is_favorite })
  })
  return { busy, toggle: () => void press() }
}

/** Another tab may have removed the favourite already. */
function passIfRemoved(error: unknown): void {
  if (!isRefused(error, 'REMOVE_FAVOURITE', 'not_found')) throw error
}

/** Requests a notice of the girl's next visit, or ends the request. A visitor logs in first. */
export function useWanted({ id, is_wanted = false }: Pick<UserInterlocutor, 'id' | 'is_wanted'>) {
  const { connection } = useAppServices()
  const membership = useMembership()
  const { busy, press } = usePress(async () => {
    if (!(await membership())) return
    await connection.act('WANT_GIRL', { user_id: id, on: !is_wanted })
    patchPerson(id, { is_wanted: !is_wanted })
  })
  return { busy, isWanted: is_wanted, toggle: () => void press() }
}
