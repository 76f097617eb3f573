import type { Answer, Body, Query } from '@duet/protocol'
import { wireTime } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { Guest, Member, Viewer } from '../../core/viewer.ts'
import { RawResponse } from '../../platform/http/raw-response.ts'
import { mediaKey } from './media-key.ts'
import { expiryOf, mediaUrl, viewerOfUrl, mediaViewerOf } from './media-url.ts'
import { isMediaId, mediaOfBlurred, visibleMedia } from './queries.ts'

/** A blurred picture never changes: a new picture has a new id. */
const CACHE_FOREVER = 'public, max-age=31536000, immutable'
const CACHE_FOR_VIEWER = 'private, max-age=150'

/** Returns the file of an address. Every kind of wrong address gets the same 404. */
export async function serveMedia(
  app: App,
  _: Viewer,
  parts: Query<'GET /media/{id}/{size}'>,
): Promise<RawResponse> {
  const { size } = parts
  if (!isMediaId(parts.id) || !app.images.sizes.has(size)) refuse('not_found')
  const isBlurred = size === 'blur'
  const viewerId = isBlurred ? null : (viewerOfUrl(app, parts) ?? refuse('not_found'))
  const id = isBlurred
    ? ((await mediaOfBlurred(app.db, parts.id)) ?? refuse('not_found'))
    : parts.id
  if (!(await visibleMedia(app, app.db, viewerId, [id])).has(id)) refuse('not_found')
  const bytes = (await app.storage.get(mediaKey(id, size))) ?? refuse('not_found')
  const headers = { 'Cache-Control': isBlurred ? CACHE_FOREVER : CACHE_FOR_VIEWER }
  return new RawResponse({ body: bytes, content_type: 'image/webp', headers })
}

/** Returns new addresses of the pictures that the viewer may see; the others are left out. */
export async function freshUrls(
  app: App,
  viewer: Guest | Member,
  { ids }: Body<'POST media/urls'>,
): Promise<Answer<'POST media/urls'>> {
  const mediaViewer = await mediaViewerOf(app, app.db, viewer.id)
  const wanted = [...new Set(ids)]
  const visible = await visibleMedia(
    app,
    app.db,
    mediaViewer.age_confirmed ? viewer.id : null,
    wanted,
  )
  const urls = wanted
    .flatMap((id) => visible.get(id) ?? [])
    .map((picture) => {
      const url = mediaUrl(app, mediaViewer, picture, 'full')
      return { id: picture.id, url, expires_at: wireTime(expiryOf(app, url)) }
    })
  return { urls }
}
