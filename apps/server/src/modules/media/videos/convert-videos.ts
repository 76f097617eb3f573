import type { App } from '../../../core/app.ts'
import { perApp } from '../../../core/app-state.ts'
import { notifyUserInfo, userById } from '../../identity/index.ts'
import { parseRole } from '@duet/protocol/kernel/roles.ts'
import { checkPicture } from '../checks/check-picture.ts'
import type { PictureVerdict } from '../checks/rules.ts'
import { deliverDeletion } from '../delete-media.ts'
import { mediaKey, UPLOADED_VIDEO } from '../media-key.ts'
import { hasMedia, waitingVideo, type WaitingVideo } from '../queries.ts'
import { finishVideo, type VideoOutcome } from '../store.ts'

/** A video whose files could not be read or written this often is given up. */
const ATTEMPTS_MAX = 3
const POLL_EVERY_MS = 30_000

interface Conversions {
  running: Promise<void> | undefined
  again: boolean
  readonly attempts: Map<string, number>
}

const conversionsOf = perApp(
  'media: conversions',
  'the running conversion of a video; the next process starts it again from its row',
  (): Conversions => ({ running: undefined, again: false, attempts: new Map() }),
)

/** Looks for waiting videos at the start and regularly: the row is the queue, so a crash loses none. */
export function startConversions(app: App): () => void {
  if (!app.videos.available) return () => {}
  convertSoon(app)
  return app.clock.every(POLL_EVERY_MS, () => convertSoon(app))
}

export function convertSoon(app: App): void {
  app.background('converting videos', convertWaiting(app))
}

/** Converts every video that waits, one at a time; joins the conversion that is running. */
export function convertWaiting(app: App): Promise<void> {
  const state = conversionsOf(app)
  state.again = true
  return (state.running ??= convertAll(app, state).finally(() => {
    state.running = undefined
  }))
}

async function convertAll(app: App, state: Conversions): Promise<void> {
  while (state.again) {
    state.again = false
    let video = await waitingVideo(app.db)
    while (video) {
      if (!(await attempt(app, state, video))) return
      video = await waitingVideo(app.db)
    }
  }
}

/** False when the video stays where it is: the next poll tries again. */
async function attempt(app: App, { attempts }: Conversions, video: WaitingVideo): Promise<boolean> {
  const { id } = video
  try {
    if (!(await convertOne(app, video))) return false
    attempts.delete(id)
    return true
  } catch (error) {
    const count = (attempts.get(id) ?? 0) + 1
    attempts.set(id, count)
    app.log.warn({ err: error, media_id: id, attempts: count }, 'a video was not converted')
    if (count < ATTEMPTS_MAX) return false
    attempts.delete(id)
    await finish(app, video, { status: 'failed', reason: 'unreadable' })
    return true
  }
}

/** False while too many pictures wait, which is no failure of the video. */
async function convertOne(app: App, video: WaitingVideo): Promise<boolean> {
  const upload = await app.storage.get(mediaKey(video.id, UPLOADED_VIDEO))
  const converted = upload && (await app.videos.convert(upload))
  const poster = converted && (await app.images.encode(converted.poster))
  if (poster === 'busy') return false
  if (!converted || !poster) return finish(app, video, { status: 'failed', reason: 'unreadable' })
  const role = (await userById(app.db, video.owner_id))?.role
  const subject = {
    owner_id: video.owner_id,
    owner_role: role ? (parseRole(role) ?? null) : null,
    product: 'gallery' as const,
    adult: video.audience === 'adult',
  }
  const verdict = await checkPicture(app, subject, poster, video.id)
  if (verdict.type === 'refused') return finish(app, video, removedBy(verdict))
  const files: [string, Uint8Array][] = [...poster.files, ['video', converted.video]]
  let bytes = 0
  for (const [size, file] of files) {
    await app.storage.put(mediaKey(video.id, size), file)
    bytes += file.length
  }
  const { width, height } = poster
  const reason = verdict.type === 'pending' ? verdict.reason : null
  return finish(app, video, { status: verdict.type, reason, width, height, bytes })
}

function removedBy({ refusal }: Extract<PictureVerdict, { type: 'refused' }>): VideoOutcome {
  return { status: 'removed', reason: refusal === 'nudity' ? 'nudity' : 'known_image' }
}

/**
 * Stores the outcome and deletes the uploaded file. If the video was deleted during its conversion, all its files are
 * deleted. If another server process stored its outcome first, the converted files belong to the row and stay.
 */
async function finish(
  app: App,
  { id, owner_id }: WaitingVideo,
  outcome: VideoOutcome,
): Promise<true> {
  const isThere = await app.transact(async (tx) => {
    if (!(await finishVideo(tx, id, outcome))) return false
    await tx.publish('member_updated', { user_id: owner_id })
    await notifyUserInfo(tx, owner_id)
    return true
  })
  if (isThere || (await hasMedia(app.db, id)))
    await app.storage.delete(mediaKey(id, UPLOADED_VIDEO))
  else await deliverDeletion(app, { ids: [id] })
  return true
}
