import { parseRole } from '@duet/protocol/kernel/roles.ts'
import type { App } from '../../../core/app.ts'
import { perApp } from '../../../core/app-state.ts'
import type { UserId } from '../../../core/ids.ts'
import { plusMs } from '../../../lib/clock.ts'
import type { ProcessedImage } from '../../../integrations/images/images.ts'
import { isDraining } from '../../../platform/draining.ts'
import { notifyUserInfo, userById } from '../../identity/index.ts'
import { checkFrames } from '../checks/check-picture.ts'
import { addHash } from '../checks/store.ts'
import type { PictureVerdict } from '../checks/rules.ts'
import { deleteUploadedVideo, deliverDeletion } from '../delete-media.ts'
import { mediaKey, UPLOADED_VIDEO } from '../media-key.ts'
import { mediaAmong } from '../queries.ts'
import { removeDraft } from '../store.ts'
import {
  claimVideo,
  type ClaimedVideo,
  extendClaim,
  finishVideo,
  type VideoOutcome,
} from './store.ts'

/** A video at which the converter or the decoder failed this often is given up. */
const ATTEMPTS_MAX = 3
const POLL_EVERY_MS = 30_000
/** A process that converts extends its claim in time; the video of one that died is taken over. */
const CLAIM_MS = 60_000
const EXTEND_EVERY_MS = 20_000

/** The converter or the decoder failed at a video. Any other error is an error of this machine or its storage. */
class ConversionError extends Error {}

function judged<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((cause: unknown) => {
    // An error of the system, as a full disk.
    if (/^E[A-Z]+$/.test(String((cause as NodeJS.ErrnoException).code))) throw cause
    throw new ConversionError('the video could not be converted', { cause })
  })
}

interface Conversions {
  running: Promise<void> | undefined
  again: boolean
  /** The owner of the last video: the next owner's turn follows. */
  last_owner: UserId | undefined
  readonly attempts: Map<string, number>
}

const conversionsOf = perApp(
  'media: conversions',
  'the running conversion of a video; after its claim another process starts it again from its row',
  (): Conversions => ({
    running: undefined,
    again: false,
    last_owner: undefined,
    attempts: new Map(),
  }),
)

/** Looks for waiting videos at the start and regularly: the row is the queue, so a crash loses none. */
export function startConversions(app: App): () => void {
  if (!app.videos.available) return () => {}
  convertSoon(app)
  return app.clock.every(POLL_EVERY_MS, () => convertSoon(app))
}

/** Tells the operator of a production server what this machine does not protect it from. */
export function warnOfSandbox({ config, videos, log }: App): void {
  const { installed, available, sandbox } = videos
  if (!config.production || (sandbox.limits && sandbox.no_network)) return
  log.warn({ sandbox }, 'pictures of users are decoded without limits or with a network')
  if (!installed) return
  const effect = available ? 'files of users are converted all the same' : 'videos are refused'
  log.warn({ sandbox }, `ffmpeg would run without limits or with a network: ${effect}`)
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
    let video = await claim(app, state)
    while (video) {
      if (!(await attempt(app, state, video))) return
      video = await claim(app, state)
    }
  }
}

/** The next video. A process that drains begins none. */
async function claim(app: App, state: Conversions): Promise<ClaimedVideo | undefined> {
  if (isDraining(app)) return undefined
  const until = plusMs(app.clock.now(), CLAIM_MS)
  const video = await app.transact((tx) => claimVideo(tx, { after: state.last_owner, until }))
  if (video) state.last_owner = video.owner_id
  return video
}

/** False when the video stays where it is: the next poll tries again. Only a failed conversion counts against the video. */
async function attempt(app: App, { attempts }: Conversions, video: ClaimedVideo): Promise<boolean> {
  const { id } = video
  const stopExtending = app.clock.every(EXTEND_EVERY_MS, () =>
    app.background('converting videos', extend(app, id)),
  )
  try {
    const isDone = await convertOne(app, video)
    if (isDone) attempts.delete(id)
    else await release(app, id)
    return isDone
  } catch (error) {
    if (!(error instanceof ConversionError)) {
      app.log.error(
        { err: error, media_id: id },
        'a video waits: a file or a row was not available',
      )
      await release(app, id)
      return false
    }
    const count = (attempts.get(id) ?? 0) + 1
    attempts.set(id, count)
    app.log.warn({ err: error, media_id: id, attempts: count }, 'a video was not converted')
    if (count < ATTEMPTS_MAX) {
      await release(app, id)
      return false
    }
    attempts.delete(id)
    await finish(app, video, { status: 'failed', reason: 'unreadable' })
    return true
  } finally {
    stopExtending()
  }
}

function extend(app: App, id: string): Promise<boolean> {
  return app.transact((tx) => extendClaim(tx, id, plusMs(tx.now, CLAIM_MS)))
}

function release(app: App, id: string): Promise<boolean> {
  return app.transact((tx) => extendClaim(tx, id, null))
}

/** False while too many pictures wait, which is no failure of the video. */
async function convertOne(app: App, video: ClaimedVideo): Promise<boolean> {
  const upload = await app.storage.get(mediaKey(video.id, UPLOADED_VIDEO))
  const converted = upload && (await judged(app.videos.convert(upload)))
  const frames = converted && (await readFrames(app, converted.frames))
  if (frames === 'busy') return false
  const [poster, ...others] = frames ?? []
  if (!converted || !poster) return finish(app, video, { status: 'failed', reason: 'unreadable' })
  const role = (await userById(app.db, video.owner_id))?.role
  const subject = {
    owner_id: video.owner_id,
    owner_role: role ? (parseRole(role) ?? null) : null,
    product: 'gallery' as const,
    adult: video.audience === 'adult',
  }
  const verdict = await checkFrames(app, subject, [poster, ...others], video.id)
  if (verdict.type === 'refused') return finish(app, video, removedBy(verdict))
  const files: [string, Uint8Array][] = [...poster.files, ['video', converted.video]]
  let bytes = 0
  for (const [size, file] of files) {
    await app.storage.put(mediaKey(video.id, size), file)
    bytes += file.length
  }
  const { width, height } = poster
  const reason = verdict.type === 'pending' ? verdict.reason : null
  const outcome = { status: verdict.type, reason, width, height, bytes }
  return finish(app, video, outcome, poster.hashes?.hash)
}

/** Undefined: a frame could not be read. */
async function readFrames(
  app: App,
  frames: readonly Uint8Array[],
): Promise<readonly ProcessedImage[] | 'busy' | undefined> {
  const read: ProcessedImage[] = []
  for (const frame of frames) {
    const image = await judged(app.images.encode(frame))
    if (!image || image === 'busy') return image
    read.push(image)
  }
  return read
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
  { id, owner_id }: ClaimedVideo,
  outcome: VideoOutcome,
  hash?: string,
): Promise<true> {
  const isDone = await app.transact(async (tx) => {
    if (!(await finishVideo(tx, id, outcome))) return false
    await addHash(tx, id, hash)
    await removeDraft(tx, id)
    await deleteUploadedVideo(tx, id)
    await tx.publish('member_updated', { user_id: owner_id })
    await notifyUserInfo(tx, owner_id)
    return true
  })
  if (isDone || (await mediaAmong(app.db, [id])).has(id)) return true
  await deliverDeletion(app, { ids: [id] })
  await app.transact((tx) => removeDraft(tx, id))
  return true
}
