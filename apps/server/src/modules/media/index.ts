/**
 * Media: pictures that users upload, and who may see them.
 *
 * Tables         media (the files are in the storage integration, by id and size)
 * Does not know  what a picture is used for; the profile module decides which picture is an avatar
 * Invariants     an address is valid for one viewer and five minutes (ME1) · the viewer's right is checked at every
 *                request (ME2) · a viewer without age confirmation gets blurred pictures only (ME3) · no file is stored as
 *                it was uploaded (ME4)
 */
import { module } from '../../core/module.ts'
import { commands } from './commands.ts'
import {
  deleteErasedFiles,
  ERASED_FILES,
  eraseFiles,
  exportFiles,
  personalData,
} from './personal-data.ts'
import { freshUrls, serveMedia } from './serve-media.ts'

export const media = module('media', {
  endpoints: { 'GET /media/{id}/{size}': serveMedia, 'POST media/urls': freshUrls },
  commands,
  personalData,
  erase: eraseFiles,
  exportData: exportFiles,
  outboxHandlers: { [ERASED_FILES]: deleteErasedFiles },
})
export { type MediaViewer, mediaUrl, mediaViewerOf } from './media-url.ts'
export { deletePictureFiles, type StoredPicture, storePictureFiles } from './store-picture-files.ts'
export { addPicture } from './store.ts'
