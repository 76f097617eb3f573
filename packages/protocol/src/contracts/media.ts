import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { limits } from '../kernel/limits.ts'
import { nothing, QueryId, Time, Url, Uuid } from '../kernel/primitives.ts'
import { endpoints as deskEndpoints } from './media-desk.ts'

/** The purpose of an upload decides its size, its checks, its viewers and how long it is stored. */
export const UploadProduct = z.enum([
  'avatar',
  'gallery',
  'messenger',
  'complaint',
  'passport',
  'selfie',
  'frame',
  'penalty',
  'support',
])
export type UploadProduct = z.output<typeof UploadProduct>

export const Upload = z.object({
  id: Uuid,
  url: Url,
  width: z.int().positive(),
  height: z.int().positive(),
  status: z.enum(['ready', 'pending']),
})
export type Upload = z.output<typeof Upload>

export const actions = {}

export const events = {}

export const endpoints = {
  ...deskEndpoints,
  'POST /upload/image/{product}': endpoint('POST', '/upload/image/{product}', {
    summary:
      'Stores a picture: decoded, stripped, re-encoded, checked. frame and complaint need the nonce of frame_request.',
    who: 'guest',
    banned: true,
    credential: 'files',
    // A frame every five seconds; the other products have their own limit.
    rate: '720/hour',
    idempotent: true,
    takes: 'multipart',
    upload: 'pictures',
    files: ['image', 'image_original'],
    query: z.object({ product: UploadProduct }),
    body: z.object({
      file_type: z.string().max(limits.name_characters).optional(),
      session_id: QueryId.optional(),
      nonce: z.string().max(limits.token_characters).optional(),
    }),
    data: Upload,
    refuses: [
      'nudity',
      'image_removed',
      'not_found',
      'registered_only',
      'too_large',
      'wrong_type',
      'key_reused',
    ],
  }),
  'GET /media/{id}/{size}': endpoint('GET', '/media/{id}/{size}', {
    summary:
      'A picture or video. The address is a capability: signed for id, size, viewer and expiry; the viewer’s right is checked again.',
    who: 'any',
    credential: 'signature',
    gives: 'raw',
    query: z.object({
      id: z.string().max(limits.name_characters),
      size: z.string().max(limits.name_characters),
      viewer: z.string().max(limits.name_characters).optional(),
      expires: z.string().max(limits.name_characters).optional(),
      signature: z.string().max(limits.token_characters).optional(),
    }),
    data: nothing,
    refuses: ['not_found'],
  }),
  'POST media/urls': endpoint('POST', 'media/urls', {
    summary:
      'Fresh signed addresses for the media that the viewer may see; the others are left out.',
    who: 'guest',
    banned: true,
    rate: '60/min',
    body: z.object({ ids: z.array(Uuid).min(1).max(limits.media_urls) }),
    data: z.object({ urls: z.array(z.object({ id: Uuid, url: Url, expires_at: Time })) }),
    refuses: [],
  }),
}
