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
 * The users that this page has liked. The server does not send older likes. A like that the server already has changes
 * nothing there.
 */
const likes = createAccountStore<ReadonlySet<number>>(new Set())

/** Likes a user, or takes back a like of this page. `sessionId`: the call in which it happens. */
export function useLike(person: Liked, sessionId?: number) {
  const { connection } = useAppServices()
  const isLiked = useStore(likes, (ids) => ids.has(person.id))
  const { busy, press } = usePress(() => sendLike(connection, person, !isLiked, sessionId))
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
  likes.update((ids) => new Set(like ? [...ids, id] : [...ids].filter((liked) => liked !== id)))
  if (like) showToast({ title: t(mutual ? 'person.like_mutual' : 'person.liked', { nick }) })
}
