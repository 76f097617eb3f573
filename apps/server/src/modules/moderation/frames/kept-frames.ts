import type { App, Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { RetentionWalk } from '../../../core/retention-rule.ts'
import { deleteFrameFiles } from './frame-files.ts'
import { countUnjudged, deleteAgedFrames, deleteFramesShowing } from './frame-store.ts'
import { refusedFrames } from './receive-sample.ts'

const NEWEST_FRAMES = 1000

/** Retention: deletes the frames from before this moment that are in no open case. */
export async function purgeFrames(
  tx: Tx,
  before: Temporal.Instant,
  limit: number,
  walk: RetentionWalk,
): Promise<number> {
  const { ids, last } = await deleteAgedFrames(tx, { from: walk.from, before }, limit)
  await deleteFrameFiles(tx, ids)
  walk.from = last
  return ids.length
}

/** An erasure deletes the frames of the user. */
export async function eraseFrames(tx: Tx, user_id: UserId): Promise<void> {
  await deleteFrameFiles(tx, await deleteFramesShowing(tx, user_id))
}

/** For `duet doctor`: of the newest frames of calls, how many no model has judged; and how many were refused for load. */
export async function framesDiagnosis(app: App): Promise<{
  readonly newest_frames: number
  readonly frames_without_score: number
  readonly frames_refused: number
}> {
  const { frames, unjudged } = await countUnjudged(app.db, NEWEST_FRAMES)
  return {
    newest_frames: frames,
    frames_without_score: unjudged,
    frames_refused: refusedFrames(app),
  }
}
