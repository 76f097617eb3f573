import type { Answer, Body, Query } from '@duet/protocol'
import { plusMs, wireTime } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App, Guest, Member, Reader, UserId, Viewer } from '../../context.ts'
import { RawAnswer } from '../../platform/raw-answer.ts'
import { areBlocked } from '../blocks/index.ts'
import { picture_sizes } from '../../gateways/picture/picture.ts'
import { keyOf } from './add-picture.ts'
import { expiryOf, mediaUrl, viewerOfUrl, watcherOf } from './media-url.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** A blurred picture never changes: its id is a new one when the picture is. */
const for_ever = 'public, max-age=31536000, immutable'
const for_the_viewer = 'private, max-age=150'

/** The bytes behind an address. Whatever is wrong with it, the answer is the same 404. */
export async function serveMedia(app: App, _: Viewer, asked: Query<'GET /media/{id}/{size}'>): Promise<RawAnswer> {
  if (!uuid.test(asked.id)) refuse('not_found')
  const blurred = asked.size === 'blur'
  if (!blurred && !Object.hasOwn(picture_sizes, asked.size)) refuse('not_found')
  const viewer_id = blurred ? null : (viewerOfUrl(app, asked) ?? refuse('not_found'))
  if (!(await maySee(app, app.db, viewer_id, asked.id))) refuse('not_found')
  const bytes = (await app.storage.get(keyOf(asked.id, asked.size))) ?? refuse('not_found')
  const headers = { 'Cache-Control': blurred ? for_ever : for_the_viewer }
  return new RawAnswer({ body: bytes, content_type: 'image/webp', headers })
}

/** The right behind the address, read at each look: confirmed age, no block, and the picture itself still up. */
async function maySee(app: App, reader: Reader, viewer_id: UserId | null, id: string): Promise<boolean> {
  const media = await reader.selectFrom('media').select(['owner_id', 'status']).where('id', '=', id).executeTakeFirst()
  if (!media || media.status === 'removed') return false
  if (viewer_id === media.owner_id) return true
  if (media.status !== 'ready') return false
  if (viewer_id === null) return true
  const { age_confirmed } = await watcherOf(app, viewer_id)
  return age_confirmed && !(await areBlocked(reader, viewer_id, media.owner_id))
}

/** Fresh addresses for what the viewer may see; the others are left out. */
export async function freshUrls(
  app: App,
  viewer: Guest | Member,
  { ids }: Body<'POST media/urls'>,
): Promise<Answer<'POST media/urls'>> {
  const watcher = await watcherOf(app, viewer.id)
  const urls: Answer<'POST media/urls'>['urls'] = []
  for (const id of new Set(ids)) {
    if (!(await maySee(app, app.db, viewer.id, id))) continue
    const url = mediaUrl(app, watcher, id, 'full')
    urls.push({ id, url, expires_at: wireTime(expiryOf(url) ?? plusMs(app.clock.now(), 31_536_000_000)) })
  }
  return { urls }
}
