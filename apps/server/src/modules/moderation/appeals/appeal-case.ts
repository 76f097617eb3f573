import type { Answer, Query } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { RawResponse } from '../../../core/raw-response.ts'
import type { Staff } from '../../../core/viewer.ts'
import { wireTime } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { writeAudit } from '../../audit/index.ts'
import { markedJpeg, storedPicture } from '../../media/index.ts'
import { requireNotOwn } from '../../staff/index.ts'
import { deskStatement, recentStatements } from '../complaints/desk-queries.ts'
import { flaggedFrames, type FrameRow, framesOfCall } from '../frames/frame-store.ts'
import { showFrame } from '../frames/show-frame.ts'
import { pictureOfStatement } from '../penalties/penalty-picture.ts'
import { type Grounds, readGrounds } from '../sanctions/grounds.ts'
import { appealById, type AppealRow } from './appeal-store.ts'

const FRAMES_MAX = 20

async function readSource(db: Db, { statement_id }: AppealRow): Promise<Grounds> {
  return (await readGrounds(db, [statement_id]))[0]!
}

/** The latest sampled frames of the user in the call, the oldest first. */
async function readFrames(
  db: Db,
  { user_id }: AppealRow,
  { session_id }: Grounds,
): Promise<FrameRow[]> {
  const frames = session_id === null ? [] : await framesOfCall(db, session_id, FRAMES_MAX)
  return frames.filter(({ girl_id }) => girl_id === user_id).toReversed()
}

/** GET v2/manager/appeals/{id}. The look is recorded before anything is read. */
export async function appealCase(
  app: App,
  staff: Staff,
  { id }: Query<'GET v2/manager/appeals/{id}'>,
): Promise<Answer<'GET v2/manager/appeals/{id}'>> {
  const appeal = (await appealById(app.db, id)) ?? refuse('not_found')
  await auditView(app, staff, appeal)
  const source = await readSource(app.db, appeal)
  const { complaint_id, session_id, order_id, media_id, removed_text, has_screenshot } = source
  const [frames, flagged, statements] = await Promise.all([
    readFrames(app.db, appeal, source),
    session_id === null ? new Set<string>() : flaggedFrames(app.db, session_id),
    recentStatements(app.db, appeal.user_id),
  ])
  return {
    complaint_id,
    session_id,
    order_id,
    frames: frames.map(({ frame_id, asked_at }) => ({
      id: frame_id,
      at: wireTime(asked_at),
      is_flagged: flagged.has(frame_id),
    })),
    has_picture: media_id !== null || has_screenshot,
    removed_text,
    statements: statements.map(deskStatement),
  }
}

async function auditView(app: App, staff: Staff, { appeal_id, user_id }: AppealRow): Promise<void> {
  await requireNotOwn(app.db, staff, [user_id])
  const facts = { appeal_id }
  await app.transact((tx) => writeAudit(tx, { staff, act: 'appeal_view', user_id, facts }))
}

/** GET v2/manager/appeals/{id}/picture: the picture names its viewer. */
export async function appealPicture(
  app: App,
  staff: Staff,
  { id }: Query<'GET v2/manager/appeals/{id}/picture'>,
): Promise<RawResponse> {
  const appeal = (await appealById(app.db, id)) ?? refuse('not_found')
  await auditView(app, staff, appeal)
  const { media_id } = await readSource(app.db, appeal)
  const plain =
    media_id === null
      ? await pictureOfStatement(app, appeal.statement_id)
      : await storedPicture(app, media_id)
  if (!plain) refuse('not_found')
  return markedJpeg(app, staff, plain, `appeal ${id}`)
}

/** GET v2/manager/appeals/{id}/frames/{frame}. */
export async function appealFrame(
  app: App,
  staff: Staff,
  { id, frame }: Query<'GET v2/manager/appeals/{id}/frames/{frame}'>,
): Promise<RawResponse> {
  const appeal = (await appealById(app.db, id)) ?? refuse('not_found')
  await requireNotOwn(app.db, staff, [appeal.user_id])
  const frames = await readFrames(app.db, appeal, await readSource(app.db, appeal))
  const row = frames.find(({ frame_id }) => frame_id === frame) ?? refuse('not_found')
  return showFrame(app, staff, row)
}
