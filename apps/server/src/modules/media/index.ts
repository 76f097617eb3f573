/**
 * Storage: pictures that people put up, and who may see which.
 *
 * Owns     media (the files lie in the storage gateway, by id and size)
 * Ignores  what a picture is for; who has which avatar is the profile's
 * Laws     an address is a capability of one viewer for five minutes (ME1) · the viewer's right is checked again at each look (ME2) ·
 *          who has not confirmed his age gets blurred pictures only (ME3) · nothing is kept as it was uploaded (ME4)
 */
import { module } from '../../core/module.ts'
import { commands } from './commands.ts'
import { freshUrls, serveMedia } from './serve-media.ts'

export const media = module('media', {
  endpoints: { 'GET /media/{id}/{size}': serveMedia, 'POST media/urls': freshUrls },
  commands,
})
export { addPicture, keepFiles, type KeptPicture } from './add-picture.ts'
export { mediaUrl, type Watcher, watcherOf } from './media-url.ts'
