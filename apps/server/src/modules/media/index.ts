/**
 * Media: pictures and videos that users upload, and who may see them.
 *
 * Tables         media, media_drafts, image_checks, picture_hashes, known_pictures (the files are in the storage integration, by id and size)
 * Does not know  what an upload is used for; the profile module decides which picture is an avatar
 * Invariants     an address is valid for one viewer and five minutes (ME1) · the viewer's right is checked at every
 *                request (ME2) · a viewer without age confirmation gets blurred pictures only (ME3) · no file is shown as
 *                it was uploaded (ME4) · no row is without its files, and no file stays without its row (ME5) · what no
 *                check has judged is not shown (ME6) · a removed picture is not accepted again (ME7)
 */
import { module } from '../../core/module.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import { setting } from '../settings/index.ts'
import { hashStored } from './checks/copies.ts'
import { commands } from './commands.ts'
import {
  DELETE_FILES,
  deleteAllMedia,
  deleteUserMedia,
  deliverDeletion,
  purgeAged,
  sweepDrafts,
} from './delete-media.ts'
import {
  countPending,
  decideOnPhoto,
  mediaOwners,
  photoOfDesk,
  photoQueue,
  tileOfDesk,
  videoOfDesk,
} from './desk.ts'
import {
  personPicture,
  personPictures,
  personVideo,
  removePersonPicture,
} from './person-pictures.ts'
import { exportFiles, personalData } from './personal-data.ts'
import { freshUrls, serveMedia } from './serve-media.ts'
import { uploadImage } from './upload-image.ts'
import { startConversions, warnOfSandbox } from './videos/convert-videos.ts'

export const media = module('media', {
  endpoints: {
    'POST /upload/image/{product}': uploadImage,
    'GET /media/{id}/{size}': serveMedia,
    'POST media/urls': freshUrls,
    'GET v2/manager/photos': photoQueue,
    'GET v2/manager/photos/{id}/tile': tileOfDesk,
    'GET v2/manager/photos/{id}/picture': photoOfDesk,
    'GET v2/manager/photos/{id}/video': videoOfDesk,
    'GET v2/manager/users/{id}/pictures': personPictures,
    'GET v2/manager/users/{id}/pictures/{media_id}/picture': personPicture,
    'GET v2/manager/users/{id}/pictures/{media_id}/video': personVideo,
    'POST v2/manager/users/{id}/pictures/{media_id}/remove': removePersonPicture,
    'POST v2/manager/photos/{id}/decide': decideOnPhoto,
  },
  waitingCases: countPending,
  caseUsers: mediaOwners,
  commands,
  personalData: { tables: personalData, erase: deleteUserMedia, exportData: exportFiles },
  subscribers: { guest_erased: deleteAllMedia },
  outboxHandlers: { [DELETE_FILES]: deliverDeletion },
  jobs: {
    'media sweep': {
      summary: 'Deletes the files of uploads that ended before their row was written.',
      cron: '50 * * * *',
      run: sweepDrafts,
    },
    'pictures hash': {
      summary: 'Hashes stored pictures that have no hash yet, so that their copies are found.',
      cron: '20 * * * *',
      run: hashStored,
    },
  },
  diagnosis: async ({ videos }) => ({ videos: videos.available, sandbox: videos.sandbox }),
  systemFields: async ({ videos }) => ({ features: { videos: { on: videos.available } } }),
  start: async (app) => {
    warnOfSandbox(app)
    return startConversions(app)
  },
  retention: [
    deleteRows('image_checks', 'checked_at', (context) => setting(context, 'image_check_days')),
    deleteRows('known_pictures', 'created_at', (context) => setting(context, 'known_picture_days')),
    {
      name: 'media: removed by staff',
      keepDays: (context) => setting(context, 'removed_media_days'),
      purge: purgeAged('removed'),
    },
    {
      name: 'media: never sent',
      keepDays: (context) => setting(context, 'private_media_days'),
      purge: purgeAged('private'),
    },
  ],
})
export {
  findCopies,
  hashedUploads,
  type HashedUpload,
  ownersOfCopies,
  type PictureCopy,
} from './checks/copies.ts'
export { hashesOfUpload, hashOfUpload } from './checks/known-pictures.ts'
export { REPORTED_REASON } from './checks/rules.ts'
export { addListedPictures, hideUploads, removeListed, unlistPictures } from './checks/store.ts'
export { DISTANCE_MAX } from './checks/rules.ts'
export { removeUploads } from './delete-media.ts'
export { hasAdultGallery, mediaUrl, pictureVariants, readMediaViewer } from './media-url.ts'
export { approvedPortraits, mediaOfDialogs } from './queries.ts'
export type { Audience, MediaViewer } from './rules.ts'
export { attachUploads, lockSendable, lockUpload, type SendablePicture } from './store.ts'
export { markedJpeg, portraitsForStaff, shownJpeg } from './show-to-staff.ts'
export { encodePicture, storedPicture } from './store-files.ts'
export { frameReceiver } from './upload-image.ts'
export { applyReview, removePicture } from './review-media.ts'
export { type NewUpload, upload, uploadEncoded } from './upload.ts'
export { dialogPictures, galleryAddresses } from './views.ts'
