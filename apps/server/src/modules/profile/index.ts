/**
 * Profile: what users show of themselves.
 *
 * Tables         users.avatar_id, users.next_avatar_id, users.shows_adult, gallery_items, gallery_likes, profile_views
 * Does not know  the files of pictures (media), names and accounts (identity)
 * Invariants     a picture that waits for review is visible to its owner only, and does not count as an avatar (PR1)
 */
import { type ActionsOf, module } from '../../core/module.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import { setting } from '../settings/index.ts'
import { commands } from './commands.ts'
import { endpoints } from './http.ts'
import { followReview, takeOverPicture } from './on-domain-events.ts'
import { eraseProfile, personalData } from './personal-data.ts'
import { updateProfile } from './update-profile.ts'
import { avatarFields, hiddenFromGuests, ownProfileFields } from './queries.ts'

export const profile = module('profile', {
  actions: { UPDATE_PROFILE: updateProfile } satisfies ActionsOf<'profile'>,
  endpoints,
  ownFields: ownProfileFields,
  publicFields: avatarFields,
  hiding: { hiddenUsers: (db, viewer, ids) => hiddenFromGuests(db, viewer.id, ids) },
  subscribers: {
    picture_uploaded: takeOverPicture,
    media_reviewed: followReview,
  },
  commands,
  personalData: { tables: personalData, erase: eraseProfile },
  retention: [deleteRows('profile_views', 'day', (app) => setting(app, 'profile_view_days'))],
})
export { addMember, addPreparedMember, type PreparedMember, prepareMember } from './add-member.ts'
export { type ContactFields, girlContact } from './girl-page/girl-contact.ts'
export { galleriesOf } from './gallery/queries.ts'
export { quietWindow } from './girl-page/quiet-hours.ts'
export { hasAvatar } from './queries.ts'
export { PORTRAITS_FOLDER, setAvatar } from './avatar/set-avatar.ts'
