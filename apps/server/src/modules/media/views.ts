import type { Media } from '@duet/protocol'
import type { AppContext } from '../../core/app.ts'
import { type Db, readTogether } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import { batchedRead, inKeys } from '../../platform/database/statements/batched-read.ts'
import {
  blurredUrl,
  mediaUrl,
  readMediaViewer,
  type PictureIds,
  pictureVariants,
} from './media-url.ts'
import { accessInDialog, accessTo, type MediaViewer, type ShownMedia } from './rules.ts'

/** The addresses of an upload in a gallery: all forms, the blurred form or none, as the viewer's rights allow. */
export function galleryAddresses(
  context: AppContext,
  viewer: MediaViewer,
  row: ShownMedia & PictureIds & { readonly kind: string; readonly width: number },
): Pick<Media, 'url' | 'poster' | 'variants' | 'locked'> {
  const access = accessTo(row, viewer, false)
  if (access === 'none') return { url: null, locked: false }
  const isVideo = row.kind === 'video'
  if (access === 'blurred') {
    const url = blurredUrl(row.blurred_id)
    return { url, ...(isVideo && { poster: url }), locked: viewer.age_confirmed }
  }
  const shownTo = { id: viewer.id, age_confirmed: true }
  const full = mediaUrl(context, shownTo, row, 'full')
  const variants = pictureVariants(context, shownTo, row)
  return isVideo
    ? { url: mediaUrl(context, shownTo, row, 'video'), poster: full, variants, locked: false }
    : { url: full, variants, locked: false }
}

interface PictureRow {
  readonly id: string
  readonly blurred_id: string
  readonly owner_id: UserId
  readonly width: number
  readonly height: number
  readonly status: string
}

const pictureById = batchedRead<string, PictureRow>(async (db, ids) => {
  const rows = await db
    .selectFrom('media')
    .select(['id', 'blurred_id', 'owner_id', 'width', 'height', 'status'])
    .where('id', '=', inKeys(ids))
    .where('audience', '=', 'dialog')
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
})

/**
 * The pictures of messages as one of the two of their dialogs sees them; those that were removed are not in the answer. The
 * caller checks that the messages are in the viewer's view.
 */
export async function dialogPictures(
  context: AppContext,
  db: Db,
  viewerId: UserId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Media>> {
  if (ids.length === 0) return new Map()
  const viewer = await readMediaViewer(context, db, viewerId)
  const rows = await readTogether<(PictureRow | undefined)[]>(
    db,
    ids.map((id) => () => pictureById(db, id)),
  )
  const shown = rows.filter(
    (row) => row !== undefined && (row.status === 'ready' || row.status === 'pending'),
  )
  return new Map(shown.map((row) => [row!.id, pictureView(context, viewer, row!)]))
}

function pictureView(context: AppContext, viewer: MediaViewer, row: PictureRow): Media {
  const { id, width, height } = row
  const status = row.status === 'pending' ? 'pending' : 'ready'
  const shownTo = { id: viewer.id, age_confirmed: true }
  const isShown = accessInDialog(row, viewer) === 'full'
  return {
    id,
    kind: 'photo',
    width,
    height,
    status,
    url: isShown ? mediaUrl(context, shownTo, row, 'full') : null,
    ...(isShown && { variants: pictureVariants(context, shownTo, row) }),
    // No confirmation of the age opens a picture that waits for staff.
    locked: !isShown && status === 'ready',
    premium_only: false,
    like: 0,
    liked: false,
    position: 0,
  }
}
