import type { Readable } from 'node:stream'
import type { Answer, Body, Query } from '@duet/protocol'
import { wireTime } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Guest, Member, Viewer } from '../../core/viewer.ts'
import { RawResponse } from '../../core/raw-response.ts'
import { mediaKey } from './media-key.ts'
import { blurredUrl, getExpiry, mediaUrl, readMediaViewer, viewerOfUrl } from './media-url.ts'
import { isMediaId, mediaOfBlurred, visibleMedia } from './queries.ts'
import { parseRange } from './rules.ts'

/** A blurred picture never changes: a new picture has a new id. */
const CACHE_FOREVER = 'public, max-age=31536000, immutable'
const CACHE_FOR_VIEWER = 'private, max-age=150'
/** Bytes of users are shown and never run: they are no page, no script and no document, whatever they contain. */
const INERT_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Content-Disposition': 'inline; filename="media"',
}
const VIDEO = 'video'

/** Returns the file of an address. Every kind of wrong address gets the same 404. */
export async function serveMedia(
  app: App,
  _: Viewer,
  parts: Query<'GET /media/{id}/{size}'>,
  { headers = {} }: RequestContext,
): Promise<RawResponse> {
  const { size } = parts
  if (!isMediaId(parts.id) || !(app.images.sizes.has(size) || size === VIDEO)) refuse('not_found')
  if (size === 'blur') return servePicture(app, await publicId(app, parts.id), size, CACHE_FOREVER)
  const viewerId = viewerOfUrl(app, parts) ?? refuse('not_found')
  const media = (await visibleMedia(app, app.db, viewerId, [parts.id])).get(parts.id)
  if (media?.access !== 'full') refuse('not_found')
  if (size !== VIDEO) return servePicture(app, media.id, size, CACHE_FOR_VIEWER)
  return serveVideo(app, media.id, headers.range, CACHE_FOR_VIEWER)
}

async function publicId(app: App, blurred_id: string): Promise<string> {
  return (await mediaOfBlurred(app.db, blurred_id)) ?? refuse('not_found')
}

async function servePicture(
  app: App,
  id: string,
  size: string,
  cache: string,
): Promise<RawResponse> {
  const body = (await app.storage.get(mediaKey(id, size))) ?? refuse('not_found')
  const headers = { ...INERT_HEADERS, 'Cache-Control': cache }
  return new RawResponse({ body, content_type: 'image/webp', headers })
}

/** A player asks for parts; each is read alone, and a whole video is streamed, so that none fills the memory of the server. */
export async function serveVideo(
  app: App,
  id: string,
  asked: string | string[] | undefined,
  cache: string,
): Promise<RawResponse> {
  const key = mediaKey(id, VIDEO)
  const size = (await app.storage.size(key)) ?? refuse('not_found')
  const of = (rest: {
    body: Buffer | Readable
    status: number
    headers?: Record<string, string>
  }) =>
    new RawResponse({
      ...rest,
      content_type: 'video/mp4',
      headers: {
        ...INERT_HEADERS,
        'Cache-Control': cache,
        'Accept-Ranges': 'bytes',
        ...rest.headers,
      },
    })
  const range = parseRange(typeof asked === 'string' ? asked : undefined, size)
  if (range === 'unsatisfiable')
    return of({
      status: 416,
      body: Buffer.alloc(0),
      headers: { 'Content-Range': `bytes */${size}` },
    })
  if (range === undefined) {
    const body = (await app.storage.stream(key)) ?? refuse('not_found')
    return of({ status: 200, body, headers: { 'Content-Length': String(size) } })
  }
  const body = (await app.storage.get(key, range)) ?? refuse('not_found')
  const { start, end } = range
  return of({ status: 206, body, headers: { 'Content-Range': `bytes ${start}-${end}/${size}` } })
}

/** Returns new addresses of the uploads that the viewer may see; the others are left out. */
export async function freshUrls(
  app: App,
  viewer: Guest | Member,
  { ids }: Body<'POST media/urls'>,
): Promise<Answer<'POST media/urls'>> {
  const mediaViewer = await readMediaViewer(app, app.db, viewer.id)
  const wanted = [...new Set(ids)]
  const visible = await visibleMedia(app, app.db, viewer.id, wanted)
  const urls = wanted
    .flatMap((id) => visible.get(id) ?? [])
    .map((media) => {
      const size = media.kind === 'video' ? VIDEO : 'full'
      const url =
        media.access === 'full'
          ? mediaUrl(app, { ...mediaViewer, age_confirmed: true }, media, size)
          : blurredUrl(media.blurred_id)
      return { id: media.id, url, expires_at: wireTime(getExpiry(app, url)) }
    })
  return { urls }
}
