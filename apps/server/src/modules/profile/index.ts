/**
 * Profile: what users show of themselves.
 *
 * Tables         users.avatar_id
 * Does not know  the files of pictures (media), names and accounts (identity)
 * Invariants     a picture that waits for review is visible to its owner only, and does not count as an avatar (PR1)
 */
import { module } from '../../core/module.ts'
import { commands } from './commands.ts'
import { setAvatarId } from './store.ts'
import { avatarFields, hiddenFromGuests, ownProfileFields } from './queries.ts'

export const profile = module('profile', {
  ownFields: ownProfileFields,
  publicFields: avatarFields,
  hiddenUsers: (db, viewer, ids) => hiddenFromGuests(db, viewer.id, ids),
  commands,
  // The row of a picture can go only when no user has it as avatar.
  erase: (tx, user_id) => setAvatarId(tx, user_id, null),
})
export { addMember } from './add-member.ts'
export { hasAvatar } from './queries.ts'
export { PORTRAITS_FOLDER, setAvatar } from './set-avatar.ts'
