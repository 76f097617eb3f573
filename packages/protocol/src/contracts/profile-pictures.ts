import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { AvatarStatus, Media, User, UserInterlocutor } from '../kernel/entities.ts'
import { listAnswer, PageQuery } from '../kernel/envelope.ts'
import { limits } from '../kernel/limits.ts'
import {
  Count,
  formField,
  nothing,
  QueryFlag,
  boundedText,
  Url,
  Uuid,
} from '../kernel/primitives.ts'

/** Profile, part pictures: avatar and galleries. */

/** A square of the picture, in its pixels. */
export const Crop = z.object({
  x: z.int().nonnegative(),
  y: z.int().nonnegative(),
  size: z.int().positive(),
})
export type Crop = z.output<typeof Crop>

export const Gallery = z.object({ photos: z.array(Media), videos: z.array(Media) })
export type Gallery = z.output<typeof Gallery>
export const AdultMedia = Media.extend({ user_interlocutor: UserInterlocutor })
export type AdultMedia = z.output<typeof AdultMedia>

const Title = boundedText(limits.title_characters)
const AvatarSet = z.object({ avatar: Url.nullable(), status: AvatarStatus })
const pictureRefusals = ['nudity', 'image_removed', 'too_large', 'wrong_type'] as const

export const avatarEndpoints = {
  'POST avatar': endpoint('POST', 'avatar', {
    summary: 'Uploads an avatar: jpg or png, at most 2 MB; a girl’s is looked at by staff first.',
    who: 'member',
    rate: '20/hour',
    idempotent: true,
    takes: 'multipart',
    upload: 'pictures',
    files: ['img'],
    body: z.object({ crop: formField(Crop).optional() }),
    data: AvatarSet,
    refuses: [
      'avatar_type',
      'avatar_size',
      'avatar_unsaved',
      'nudity',
      'image_removed',
      'key_reused',
    ],
  }),
  'POST avatar/set': endpoint('POST', 'avatar/set', {
    summary: 'Makes a photo of the own gallery the avatar.',
    who: 'member',
    rate: '20/hour',
    body: z.object({ id: Uuid, crop: Crop.optional() }),
    data: AvatarSet,
    refuses: ['not_found', 'avatar_unsaved', 'nudity', 'image_removed'],
  }),
  'POST avatar/delete': endpoint('POST', 'avatar/delete', {
    summary: 'Takes the avatar away; repeating is harmless.',
    who: 'member',
    data: z.object({ user: User }),
    refuses: [],
  }),
}

export const galleryEndpoints = {
  'GET gallery': endpoint('GET', 'gallery', {
    summary: 'The own photos and videos in their order.',
    who: 'member',
    banned: true,
    rate: '60/min',
    data: Gallery,
    refuses: [],
  }),
  'POST gallery/media': endpoint('POST', 'gallery/media', {
    summary:
      'Adds a photo or video; a verified girl may mark it adult, with consent, where the installation allows it.',
    who: 'member',
    rate: '60/hour',
    idempotent: true,
    takes: 'multipart',
    upload: 'pictures and videos',
    files: ['media'],
    body: z.object({
      title: Title.optional(),
      premium_only: QueryFlag.optional(),
      adult: QueryFlag.optional(),
      consent: QueryFlag.optional(),
    }),
    data: z.object({ media: Media }),
    refuses: [...pictureRefusals, 'verification_required', 'method_unavailable', 'key_reused'],
  }),
  'POST v2/gallery/media/messenger': endpoint('POST', 'v2/gallery/media/messenger', {
    summary: 'Uploads a picture to send in a dialog; it is in no gallery.',
    who: ['premium', 'girl'],
    rate: '60/hour',
    idempotent: true,
    takes: 'multipart',
    upload: 'pictures',
    files: ['media'],
    data: z.object({ media: Media }),
    refuses: [...pictureRefusals, 'key_reused'],
  }),
  'POST gallery/media/update': endpoint('POST', 'gallery/media/update', {
    summary: 'Changes title, place or audience of an own photo or video.',
    who: 'member',
    body: z.object({
      id: Uuid,
      title: Title.optional(),
      premium_only: z.boolean().optional(),
      position: Count.optional(),
    }),
    data: z.object({ media: Media }),
    refuses: ['not_found'],
  }),
  'POST gallery/media/delete': endpoint('POST', 'gallery/media/delete', {
    summary: 'Removes an own photo or video; repeating is harmless.',
    who: 'member',
    body: z.object({ id: Uuid }),
    data: nothing,
    refuses: ['not_found'],
  }),
  'POST gallery/media/like': endpoint('POST', 'gallery/media/like', {
    summary: 'Likes a photo or video, or takes it back; once a person.',
    who: 'member',
    rate: '60/min',
    body: z.object({ id: Uuid, like: z.boolean().default(true) }),
    data: z.object({ like: Count, liked: z.boolean() }),
    refuses: ['not_found', 'premium_only'],
  }),
  'POST media_nsfw': endpoint('POST', 'media_nsfw', {
    summary: 'Marks own media adult; only staff can undo it.',
    who: 'girl',
    body: z.object({
      media_id: Uuid,
      adult: z.literal(true),
      /** The owner agrees that the adult gallery shows it. */
      consent: z.literal(true).optional(),
    }),
    data: z.object({ media: Media }),
    refuses: ['not_found', 'verification_required'],
  }),
  'POST user_nsfw': endpoint('POST', 'user_nsfw', {
    summary: 'Switches the adult gallery on or off for the user; needs a proof of age.',
    who: 'member',
    body: z.object({ show: z.boolean() }),
    data: z.object({ user: User }),
    refuses: ['age_unconfirmed', 'not_found'],
  }),
  'GET nsfw/gallery': endpoint('GET', 'nsfw/gallery', {
    summary:
      'Media that their verified owners marked adult and staff approved; where the installation allows it, else 404.',
    who: 'premium',
    query: PageQuery,
    data: listAnswer(AdultMedia),
    refuses: ['age_unconfirmed', 'not_found'],
  }),
}
