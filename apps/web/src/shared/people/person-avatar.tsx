import type { UserInterlocutor } from '@duet/protocol'
import { Avatar, type AvatarProps } from '@duet/ui'
import { findSrcSet } from '../media/src-set.ts'
import { toPresence } from './status-tag.tsx'

/** The avatar of a user beside the name. Its texts are in the catalogue `favourites`. */
export function PersonAvatar({
  person: { nick, avatar, avatar_variants, status },
  size = 48,
}: {
  person: UserInterlocutor
  size?: AvatarProps['size']
}) {
  return (
    <Avatar
      name={nick}
      decorative
      src={avatar}
      srcSet={findSrcSet(avatar_variants)}
      size={size}
      {...toPresence(status)}
    />
  )
}
