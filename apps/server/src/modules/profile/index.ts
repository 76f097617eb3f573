/**
 * Profile: what users show of themselves.
 *
 * Tables         users.avatar_id, users.next_avatar_id, users.shows_adult, gallery_items, gallery_likes, profile_views
 * Does not know  the files of pictures (media), names and accounts (identity)
 * Invariants     a picture that waits for review is visible to its owner only, and does not count as an avatar (PR1)
 */
import { type ActionsOf, type EndpointsOf, module } from '../../core/module.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import { setting } from '../settings/index.ts'
import { commands } from './commands.ts'
import { deleteAvatar, uploadAvatar, usePhotoAsAvatar } from './avatar/avatar-commands.ts'
import { memberProfile, ownProfile, updateProfile } from './update-profile.ts'
import { girlInfo } from './girl-page/girl-info.ts'
import { showGirl } from './girl-page/show-girl.ts'
import { addGalleryMedia, addMessengerMedia } from './gallery/add-gallery-media.ts'
import { adultGallery, markAdult, wishAdultGallery } from './gallery/adult-gallery.ts'
import { deleteItem, likeItem, ownGallery, updateItem } from './gallery/gallery-items.ts'
import { followReview, takeOverPicture } from './on-domain-events.ts'
import { eraseProfile, personalData } from './personal-data.ts'
import { avatarFields, hiddenFromGuests, ownProfileFields } from './queries.ts'

export const profile = module('profile', {
  actions: { UPDATE_PROFILE: updateProfile } satisfies ActionsOf<'profile'>,
  endpoints: {
    'GET profile': ownProfile,
    'POST profile': memberProfile,
    'GET girl_info': girlInfo,
    'POST stat/show_girl': showGirl,
    'POST avatar': uploadAvatar,
    'POST avatar/set': usePhotoAsAvatar,
    'POST avatar/delete': deleteAvatar,
    'GET gallery': ownGallery,
    'POST gallery/media': addGalleryMedia,
    'POST v2/gallery/media/messenger': addMessengerMedia,
    'POST gallery/media/update': updateItem,
    'POST gallery/media/delete': deleteItem,
    'POST gallery/media/like': likeItem,
    'POST media_nsfw': markAdult,
    'POST user_nsfw': wishAdultGallery,
    'GET nsfw/gallery': adultGallery,
  } satisfies EndpointsOf<'profile'>,
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
export { readGalleries } from './gallery/queries.ts'
export { quietWindow } from './girl-page/quiet-hours.ts'
export { hasAvatar } from './queries.ts'
export { PORTRAITS_FOLDER, setAvatar } from './avatar/set-avatar.ts'
