import type { UserId } from '../../core/ids.ts'

/** The viewers who may see an upload. `adult`: in the adult gallery only. `owner`: it is not shown until a message or ticket uses it. `dialog`: the two of a dialog, while they see its message. */
export type Audience = 'everyone' | 'premium' | 'adult' | 'owner' | 'dialog'
export type StoredProduct = 'avatar' | 'gallery' | 'messenger' | 'support'
export type UploadState = 'ready' | 'pending' | 'removed' | 'processing' | 'failed'

/** The facts about a viewer that decide how much they may see. */
export interface MediaViewer {
  /** Null for a visitor. */
  readonly id: UserId | null
  readonly age_confirmed: boolean
  readonly premium: boolean
  /** The installation has an adult gallery, and the viewer wants it and may see it. */
  readonly sees_adult: boolean
}

export interface ShownMedia {
  readonly owner_id: UserId
  readonly status: string
  readonly audience: string
}

/** `full`: every size. `blurred`: the blurred form only. `none`: nothing, as if it did not exist. */
export type MediaAccess = 'full' | 'blurred' | 'none'

/**
 * How much of an upload one viewer may see. `hidden`: its owner hides from the viewer. One in a dialog is shown by
 * `accessInDialog` only.
 */
export function accessTo(media: ShownMedia, viewer: MediaViewer, hidden: boolean): MediaAccess {
  if (media.audience === 'dialog') return 'none'
  const isOwner = media.owner_id === viewer.id
  if (isOwner) return media.status === 'ready' || media.status === 'pending' ? 'full' : 'none'
  if (media.status !== 'ready' || media.audience === 'owner' || hidden) return 'none'
  if (media.audience === 'adult')
    return viewer.sees_adult && viewer.premium && viewer.age_confirmed ? 'full' : 'none'
  if (!viewer.age_confirmed) return 'blurred'
  return media.audience === 'premium' && !viewer.premium ? 'blurred' : 'full'
}

/**
 * How much of a picture the two of its dialog see while its message is in their view. It has no blurred form: that would
 * have a public address.
 */
export function accessInDialog(
  { owner_id, status }: Pick<ShownMedia, 'owner_id' | 'status'>,
  viewer: Pick<MediaViewer, 'id' | 'age_confirmed'>,
): 'full' | 'none' {
  if (owner_id === viewer.id) return status === 'ready' || status === 'pending' ? 'full' : 'none'
  return status === 'ready' && viewer.age_confirmed ? 'full' : 'none'
}

/** The blurred form has one address for everyone. */
export function isBlurredPublic({ status, audience }: ShownMedia): boolean {
  return status === 'ready' && (audience === 'everyone' || audience === 'premium')
}

/** The bytes from `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** Memory of one answer to a range; a player asks for the rest by itself. */
const PART_BYTES_MAX = 1024 * 1024

/**
 * The part of a file that a header `Range` asks for. Undefined: the whole file, also where the header is none that is
 * understood, as HTTP demands. `unsatisfiable`: behind the end of the file.
 */
export function parseRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const asked = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (start >= size || asked < start) return 'unsatisfiable'
  return { start, end: Math.min(asked, start + PART_BYTES_MAX - 1) }
}
