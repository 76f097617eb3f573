import type { Answer } from '@duet/protocol'
import { limits } from '@duet/protocol'
import { perApp } from '../../../core/app-state.ts'
import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { type RequestContext, uploadedFile } from '../../../core/request-context.ts'
import type { Judgement } from '../../../integrations/vision/vision.ts'
import { newUuid } from '../../../lib/ids.ts'
import { isRefusal, refuse } from '../../../lib/refusal.ts'
import { createSemaphore } from '../../../lib/semaphore.ts'
import { isSampled } from '../../calls/index.ts'
import { encodePicture } from '../../media/index.ts'
import { setting } from '../../settings/index.ts'
import { hashFrame, storeFrameFile } from './frame-files.ts'
import { followScore } from './follow-score.ts'
import { type AskedFrame, deleteFrame, hasFrame, insertFrame, isRepeated } from './frame-store.ts'
import { readJpegSize } from './jpeg-size.ts'
import { countReceived, takeRequest } from './sampling.ts'

/** One frame at a time: users who upload a photo wait behind one frame at most. */
const FRAMES = { at_once: 1, waiting_max: 40, waiting_owner_max: 1 }
const BUSY_RETRY_SECONDS = 5
/** A page sends a picture of 320 pixels in width. */
const PIXELS_MAX = 500_000
const WARNED_AGAIN_MS = 600_000

const frameChecks = perApp(
  'moderation: checks of frames',
  'the queue of frames that are decoded and judged, how many were refused for load, and when the log last warned; a page sends the next frame anyway',
  () => ({ semaphore: createSemaphore(FRAMES), refused: 0, warned_at_ms: -Infinity }),
)

/** How many frames this server process has refused because too many waited. */
export function refusedFrames(app: App): number {
  return frameChecks(app).refused
}

/** Stores a sampled frame of a girl in a public call with its score. Refuses not_found, wrong_type, too_large, too_many. */
export async function receiveSample(
  app: App,
  {
    asked_at_ms,
    ...of
  }: {
    readonly girl_id: UserId
    readonly session_id: number
    readonly asked_at_ms: number
  },
  context: RequestContext,
): Promise<Answer<'POST /upload/image/{product}'>> {
  const asked = { ...of, asked_at: Temporal.Instant.fromEpochMilliseconds(asked_at_ms) }
  // The call may have ended or become private since.
  if (!isSampled(app, of) || (await hasFrame(app.db, asked))) refuse('not_found')
  const { bytes } = uploadedFile(context, 'image', limits.frame_bytes)
  requireSmall(bytes)
  // Before decoding, so that one request leads to one decoding.
  if (!takeRequest(app, of.session_id, asked_at_ms)) refuse('not_found')
  const checks = frameChecks(app)
  try {
    return await (checks.semaphore.run(() => checkAndStore(app, asked, bytes), of.girl_id) ??
      refuse('too_many', { retry_after: BUSY_RETRY_SECONDS }))
  } catch (error) {
    if (isRefusal(error, 'too_many')) {
      checks.refused += 1
      // The page sent it and does not send it again.
      countReceived(app, of.session_id)
    }
    throw error
  }
}

/** A large picture of few bytes takes seconds to decode, and all frames share one queue. */
function requireSmall(bytes: Buffer): void {
  const { width, height } = readJpegSize(bytes) ?? refuse('wrong_type')
  if (width * height > PIXELS_MAX) refuse('too_large')
}

async function checkAndStore(app: App, asked: AskedFrame, bytes: Buffer) {
  const { girl_id, session_id } = asked
  const { files, sample, width, height } = await decode(app, asked, bytes)
  const judgement = await judge(app, sample)
  const plain = files.get('full')!
  const frame_id = newUuid()
  const row = {
    ...asked,
    frame_id,
    sha256: hashFrame(plain),
    bytes: plain.length,
    nudity: judgement?.nudity ?? null,
    model: judgement ? `${judgement.model} ${judgement.version}` : null,
  }
  const isRepeat = await isRepeated(app.db, row)
  if (!(await app.transact((tx) => insertFrame(tx, row)))) refuse('not_found')
  try {
    // After its row, so that retention finds every file.
    await storeFrameFile(app, row, plain)
  } catch (error) {
    await app.transact((tx) => deleteFrame(tx, frame_id))
    throw error
  }
  // No camera takes the same picture twice: the page does not send what its camera sees.
  if (!isRepeat) countReceived(app, session_id)
  if (judgement && judgement.nudity >= setting(app, 'nudity_end_score'))
    await followScore(app, { girl_id, session_id, frame_id, nudity: judgement.nudity })
  return { id: frame_id, url: `/media/${frame_id}/full`, width, height, status: 'ready' as const }
}

async function decode(app: App, { girl_id, session_id }: AskedFrame, bytes: Buffer) {
  try {
    return await encodePicture(app, bytes, {
      owner_id: girl_id,
      formats: ['jpeg'],
      pixels_max: PIXELS_MAX,
    })
  } catch (error) {
    if (isRefusal(error, 'wrong_type'))
      app.log.warn({ user_id: girl_id, session_id }, 'a sampled frame is no picture')
    throw error
  }
}

/** Undefined: no model judged it. The frame is stored without a score, and no rule follows from it. */
async function judge(app: App, sample: Uint8Array): Promise<Judgement | undefined> {
  const answer = await app.vision.judge(sample)
  if (typeof answer === 'object') return answer
  const checks = frameChecks(app)
  const nowMs = app.clock.now().epochMilliseconds
  if (nowMs - checks.warned_at_ms >= WARNED_AGAIN_MS) {
    checks.warned_at_ms = nowMs
    app.log.warn({ answer }, 'frames of calls are stored without a score: the model does not judge')
  }
  return undefined
}
