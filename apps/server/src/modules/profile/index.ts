/**
 * Profile: what somebody shows of himself.
 *
 * Owns     users.avatar_id
 * Ignores  the bytes of pictures (storage), who somebody is (identity)
 * Laws     a picture that waits for staff is seen by its owner alone and counts as no avatar (PR1)
 */
import { module } from '../../core/module.ts'
import { avatarOf, facesOf } from './avatar.ts'
import { keepAskedAvatar } from './keep-avatar.ts'

export const profile = module('profile', {
  ownFields: avatarOf,
  publicFields: facesOf,
  subscribers: { avatar_requested: keepAskedAvatar },
})
export { hasAvatar } from './avatar.ts'
export { portraits, showAvatar } from './keep-avatar.ts'
