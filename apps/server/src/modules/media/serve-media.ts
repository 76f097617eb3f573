import type { Answer, Body, Query } from '@duet/protocol'
import { wireTime } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { Guest, Member, Viewer } from '../../core/viewer.ts'
import { RawResponse } from '../../platform/http/raw-response.ts'
import { mediaKey } from './media-key.ts'
import { expiryOf, mediaUrl, viewerOfUrl, watcherOf } from './media-url.ts'
import { isMediaId, mediaSeenBy } from './queries.ts'

/** A blurred picture never changes: its id is a new one when the picture is. */
const for_ever = 'public, max-age=31536000, immutable'
const for_the_viewer = 'private, max-age=150'

/** The bytes behind an address. Whatever is wrong with it, the answer is the same 404. */
export async function serveMedia(
  app: App,
  _: Viewer,
  asked: Query<'GET /media/{id}/{size}'>,
): Promise<RawResponse> {
  const { id, size } = asked
  if (!isMediaId(id) || !app.images.sizes.has(size)) refuse('not_found')
  const blurred = size === 'blur'
  const viewer_id = blurred ? null : (viewerOfUrl(app, asked) ?? refuse('not_found'))
  if (!(await mediaSeenBy(app, app.db, viewer_id, [id])).has(id)) refuse('not_found')
  const bytes = (await app.storage.get(mediaKey(id, size))) ?? refuse('not_found')
  const headers = { 'Cache-Control': blurred ? for_ever : for_the_viewer }
  return new RawResponse({ body: bytes, content_type: 'image/webp', headers })
}

/** Fresh addresses for what the viewer may see; the others are left out. */
export async function freshUrls(
  app: App,
  viewer: Guest | Member,
  { ids }: Body<'POST media/urls'>,
): Promise<Answer<'POST media/urls'>> {
  const watcher = await watcherOf(app, app.db, viewer.id)
  const asked = [...new Set(ids)]
  const seen = await mediaSeenBy(app, app.db, watcher.age_confirmed ? viewer.id : null, asked)
  const urls = asked
    .filter((id) => seen.has(id))
    .map((id) => {
      const url = mediaUrl(app, watcher, id, 'full')
      return { id, url, expires_at: wireTime(expiryOf(app, url)) }
    })
  return { urls }
}
