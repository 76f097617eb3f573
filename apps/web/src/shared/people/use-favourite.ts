import type { UserInterlocutor } from '@duet/protocol'
import { useAction } from '../app-services.tsx'
import { dialogs } from '../dialogs.ts'
import { patchPerson } from './people.ts'
import { useMembership } from './use-membership.ts'

declare module '../dialogs.ts' {
  interface DialogContracts {
    remove_favourite: { input: { nick: string }; answer: true }
  }
}

/** Adds a user to the favourites, or removes them after a question. A visitor logs in first, and the action goes on. */
export function useFavourite({
  id,
  nick,
  is_favorite,
}: Pick<UserInterlocutor, 'id' | 'nick' | 'is_favorite'>) {
  const membership = useMembership()
  const adding = useAction('ADD_FAVOURITE')
  const removing = useAction('REMOVE_FAVOURITE', ({ refusal }) => {
    // Another tab has removed the favourite already.
    if (refusal === 'not_found') patchPerson(id, { is_favorite: false })
    return refusal === 'not_found'
  })
  const add = async () => {
    if (!(await membership())) return
    if (await adding.run({ user_id: id })) patchPerson(id, { is_favorite: true })
  }
  const remove = async () => {
    if (!(await dialogs.ask('remove_favourite', { nick }))) return
    if (await removing.run({ user_id: id })) patchPerson(id, { is_favorite: false })
  }
  return {
    busy: adding.busy || removing.busy,
    toggle: () => void (is_favorite ? remove() : add()),
  }
}
