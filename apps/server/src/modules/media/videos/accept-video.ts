import { limits } from '@duet/protocol'
import { refuse } from '../../../lib/refusal.ts'
import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { refuseWithoutSpace } from '../accept-picture.ts'
import { UPLOADED_VIDEO } from '../media-key.ts'
import { readWaitingVideos } from '../queries.ts'
import { storeFiles } from '../store-picture-files.ts'
import type { StoredPicture } from '../store.ts'

const BUSY_RETRY_SECONDS = 10
/** A conversion may take minutes of the processor. */
const WAITING_MAX = 3
const WAITING_RETRY_SECONDS = 60

/**
 * Looks at a video and stores it as it came; it is converted later and has no address until then. Refuses
 * method_unavailable where no converter is installed, wrong_type, too_large (`seconds_max`), too_many while others of the
 * user wait for their conversion or too many users upload.
 */
export async function acceptVideo(
  app: App,
  owner_id: UserId,
  bytes: Uint8Array,
): Promise<{ readonly picture: StoredPicture; readonly status: 'processing' }> {
  if (!app.videos.available) refuse('method_unavailable')
  if (bytes.length > limits.video_bytes) refuse('too_large')
  await refuseWithoutSpace(app, app.db, owner_id, bytes.length)
  if ((await readWaitingVideos(app.db, owner_id)) >= WAITING_MAX)
    refuse('too_many', { retry_after: WAITING_RETRY_SECONDS })
  const probed = (await app.videos.probe(bytes, owner_id)) ?? refuse('wrong_type')
  if (probed === 'busy') refuse('too_many', { retry_after: BUSY_RETRY_SECONDS })
  const { width, height, seconds = 0 } = probed
  // Recorders count the last frame differently.
  const { seconds_max } = app.videos
  if (seconds >= seconds_max + 1) refuse('too_large', { seconds_max })
  const files = new Map([[UPLOADED_VIDEO, bytes]])
  return { picture: await storeFiles(app, { width, height, files }), status: 'processing' }
}
