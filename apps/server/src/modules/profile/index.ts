/**
 * Profile: what users show of themselves.
 *
 * Tables         users.avatar_id, users.next_avatar_id, users.shows_adult, gallery_items, gallery_likes, profile_views
 * Does not know  the files of pictures (media), names and accounts (identity)
 * Invariants     a picture that waits for review is visible to its owner only, and does not count as an avatar (PR1)
 */
import type { Tx } from '../../core/app.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import type { UserId } from '../../core/ids.ts'
import { type ActionsOf, type EndpointsOf, module } from '../../core/module.ts'
import { personalTable } from '../../platform/personal-data/personal-data.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import { setting } from '../settings/index.ts'
import { commands } from './commands.ts'
import {
  deleteAvatar,
  promoteAvatar,
  takeOverAvatar,
  uploadAvatar,
  usePhotoAsAvatar,
} from './avatar/avatar-commands.ts'
import { memberProfile, ownProfile, updateProfile } from './update-profile.ts'
import { girlInfo } from './girl-page/girl-info.ts'
import { showGirl } from './girl-page/show-girl.ts'
import { addGalleryMedia, addMessengerMedia } from './gallery/add-gallery-media.ts'
import { adultGallery, markAdult, wishAdultGallery } from './gallery/adult-gallery.ts'
import {
  deleteItem,
  likeItem,
  ownGallery,
  takeOverPhoto,
  updateItem,
} from './gallery/gallery-items.ts'
import { removeUserLikes, setAdultApproval } from './gallery/store.ts'
import { avatarFields, hiddenFromGuests, ownProfileFields } from './queries.ts'
import { clearAvatar } from './store.ts'

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
  personalData: {
    tables: [
      personalTable('profile_views', {
        users: ['girl_id', 'viewer_id'],
        erasure: 'deleted',
        exported: { of: ['viewer_id'], by: 'id', columns: ['girl_id', 'day'] },
      }),
      // When a row of media is deleted, its items are deleted too.
      personalTable('gallery_items', {
        users: ['owner_id'],
        erasure: 'deleted',
        exported: {
          of: ['owner_id'],
          by: 'media_id',
          columns: [
            'media_id',
            'title',
            'premium_only',
            'adult',
            'consent_at',
            'consent_version',
            'likes',
          ],
        },
      }),
      // `erase` has removed these rows, with the counts of their items.
      personalTable('gallery_likes', {
        users: ['user_id'],
        erasure: 'deleted',
        exported: { of: ['user_id'], by: 'media_id', columns: ['media_id', 'at'] },
      }),
    ],
    erase: eraseProfile,
  },
  retention: [deleteRows('profile_views', 'day', (app) => setting(app, 'profile_view_days'))],
})

/** Uses a picture that was uploaded by the storage's own call, as avatar or as photo of the gallery. */
async function takeOverPicture(tx: Tx, event: DomainEvents['picture_uploaded']): Promise<void> {
  await takeOverAvatar(tx, event)
  await takeOverPhoto(tx, event)
}

async function followReview(tx: Tx, event: DomainEvents['media_reviewed']): Promise<void> {
  await promoteAvatar(tx, event)
  await setAdultApproval(tx, event.media_id, event.status === 'ready')
}

/** The media module erases the uploads, and their items with them. Only likes remain for this module. */
async function eraseProfile(tx: Tx, user_id: UserId): Promise<void> {
  await clearAvatar(tx, user_id)
  await removeUserLikes(tx, user_id)
}

export { addMember, addPreparedMember, type PreparedMember, prepareMember } from './add-member.ts'
export { type ContactFields, girlContact } from './girl-page/girl-contact.ts'
export { readGalleries } from './gallery/queries.ts'
export { quietWindow } from './girl-page/quiet-hours.ts'
export { hasAvatar } from './queries.ts'
export { isAgeProven } from './gallery/adult-gallery.ts'
export { isIdentityChecked } from './update-profile.ts'
export { PORTRAITS_FOLDER, setAvatar } from './avatar/set-avatar.ts'
