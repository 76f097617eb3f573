import type { EndpointsOf } from '../../core/module.ts'
import { deleteAvatar, uploadAvatar, usePhotoAsAvatar } from './avatar/avatar-commands.ts'
import { memberProfile, ownProfile } from './update-profile.ts'
import { girlInfo } from './girl-page/girl-info.ts'
import { showGirl } from './girl-page/show-girl.ts'
import { addGalleryMedia, addMessengerMedia } from './gallery/add-gallery-media.ts'
import { adultGallery, markAdult, wishAdultGallery } from './gallery/adult-gallery.ts'
import { deleteItem, likeItem, ownGallery, updateItem } from './gallery/gallery-items.ts'

export const endpoints = {
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
} satisfies EndpointsOf<'profile'>
