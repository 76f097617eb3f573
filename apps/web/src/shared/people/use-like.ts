import type { ClientConnection } from '@duet/client'
import type { UserInterlocutor } from '@duet/protocol'
import { createAccountStore } from '../account/account-store.ts'
import { useAppServices } from '../app-services.tsx'
import { usePress } from '../controls/use-press.ts'
import { t } from '../i18n.ts'
import { useStore } from '../observable-store.ts'
import { showToast } from '../toasts.ts'

type Liked = Pick<UserInterlocutor, 'id' | 'nick'>

/**
 * Whether this page has liked these users, or taken the like back. The server does not send older likes. A like that
 * the server already has changes nothing there.
 */
const likes = createAccountStore<ReadonlyMap<number, boolean>>(new Map())

/**
 * Likes a user, or takes back a like.
 *
 * @param known `sessionId`: the call in which it happens; `isLiked`: an older like is known
 */
export function useLike(
  person: Liked,
  known: { readonly sessionId?: number; readonly isLiked?: boolean | undefined } = {},
) {
  const { connection } = useAppServices()
  const isLiked = useStore(likes, (ids) => ids.get(person.id) ?? known.isLiked ?? false)
  const { busy, press } = usePress(() => sendLike(connection, person, !isLiked, known.sessionId))
  return { busy, isLiked, toggle: () => void press() }
}

export async function sendLike(
  connection: Pick<ClientConnection, 'act'>,
  { id, nick }: Liked,
  like: boolean,
  session_id?: number,
): Promise<void> {
  const { mutual } = await connection.act('LIKING_REACTION', {
    user_id: id,
    like,
    ...(session_id !== undefined && { session_id }),
  })
  likes.update((ids) => new Map([...ids, [id, like]]))
  if (like) showToast({ title: t(mutual ? 'person.like_mutual' : 'person.liked', { nick }) })
}
