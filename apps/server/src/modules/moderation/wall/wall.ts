import type { Answer, Query, WallCall } from '@duet/protocol'
import { wallReasons } from '@duet/protocol/kernel/rule-names.ts'
import type { App } from '../../../core/app.ts'
import { perApp } from '../../../core/app-state.ts'
import type { RawResponse } from '../../../core/raw-response.ts'
import type { Staff } from '../../../core/viewer.ts'
import { wireTime } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { writeAudit } from '../../audit/index.ts'
import { readOnlineFigures } from '../../presence/index.ts'
import { readDeskPeople, requireOtherPerson } from '../../staff/index.ts'
import { tallyComplaints } from '../complaints/desk-queries.ts'
import { readFrame } from '../frames/frame-files.ts'
import { flaggedFrames, framesOfCall, type FrameRow } from '../frames/frame-store.ts'
import { showFrame, shownJpeg } from '../frames/show-frame.ts'
import { countCalls, type OpenCall, openCallById, readWall, type WallRow } from './wall-queries.ts'

/** All who watch share one read of the database. */
const READ_EVERY_MS = 2000
const RECORD_EVERY_MS = 10 * 60_000
const FRAMES_MAX = 6

interface WallState {
  readAtMs: number
  read: Promise<WallRead> | undefined
  /** When each member of staff was last recorded as watching. */
  readonly recorded: Map<number, number>
}

interface WallRead {
  readonly rows: readonly WallRow[]
  readonly counts: Awaited<ReturnType<typeof countCalls>>
}

const wallState = perApp(
  'moderation: wall',
  'the last read of the running calls, and who was recorded as watching; both are read again',
  (): WallState => ({ readAtMs: 0, read: undefined, recorded: new Map() }),
)

function readShared(app: App): Promise<WallRead> {
  const state = wallState(app)
  const nowMs = app.clock.now().epochMilliseconds
  if (!state.read || nowMs - state.readAtMs >= READ_EVERY_MS) {
    state.readAtMs = nowMs
    state.read = Promise.all([readWall(app.db, app.clock.now()), countCalls(app.db)]).then(
      ([rows, counts]) => ({ rows, counts }),
    )
    // The next one reads again.
    state.read.catch(() => (state.read = undefined))
  }
  return state.read
}

/** GET v2/manager/wall. */
export async function wallPage(app: App, staff: Staff): Promise<Answer<'GET v2/manager/wall'>> {
  const state = wallState(app)
  const nowMs = app.clock.now().epochMilliseconds
  if (nowMs - (state.recorded.get(staff.id) ?? -RECORD_EVERY_MS) >= RECORD_EVERY_MS) {
    await app.transact((tx) => writeAudit(tx, { staff, act: 'wall_view', facts: {} }))
    state.recorded.set(staff.id, nowMs)
  }
  const { rows, counts } = await readShared(app)
  const online = await readOnlineFigures(app)
  const { guys: men, girls: women, searching } = online
  return { figures: { men, women, searching, ...counts }, calls: await shownCalls(app, rows) }
}

async function shownCalls(app: App, rows: readonly WallRow[]): Promise<WallCall[]> {
  const person = await readDeskPeople(
    app.db,
    rows.flatMap(({ guy_id, girl_id }) => [guy_id, girl_id]),
  )
  return rows.map((row) => ({
    session_id: row.session_id,
    guy: person(row.guy_id),
    girl: person(row.girl_id),
    is_private: row.state === 'private',
    opened_at: wireTime(row.opened_at),
    connected_at: row.connected_at && wireTime(row.connected_at),
    frame_at: row.frame_at && wireTime(row.frame_at),
    reasons: wallReasons.filter((reason) => row[reason]),
  }))
}

async function framesOfOpenCall(app: App, call: OpenCall, limit: number): Promise<FrameRow[]> {
  // Also the frames from before it became private are not for the wall any more.
  return call.state === 'public' ? framesOfCall(app.db, call.session_id, limit) : []
}

/** GET v2/manager/wall/{id}/tile. Refuses not_found. */
export async function wallTile(
  app: App,
  _staff: Staff,
  { id }: Query<'GET v2/manager/wall/{id}/tile'>,
): Promise<RawResponse> {
  const call = (await openCallById(app.db, id)) ?? refuse('not_found')
  const [frame] = await framesOfOpenCall(app, call, 1)
  const plain = frame && (await readFrame(app, frame))
  if (!plain) refuse('not_found')
  return shownJpeg(await app.images.blur(plain))
}

/** POST v2/manager/wall/{id}/open. The look is recorded before anything is read. Refuses not_found, role_forbidden. */
export async function openWatched(
  app: App,
  staff: Staff,
  { id }: Query<'POST v2/manager/wall/{id}/open'>,
): Promise<Answer<'POST v2/manager/wall/{id}/open'>> {
  const { db } = app
  const call = (await openCallById(db, id)) ?? refuse('not_found')
  await app.transact(async (tx) => {
    await requireOtherPerson(tx, staff, [call.guy_id, call.girl_id])
    const facts = { session_id: id }
    await writeAudit(tx, { staff, act: 'call_view', user_id: call.girl_id, facts })
  })
  const [shown] = await shownCalls(app, await readWall(db, app.clock.now(), id))
  if (!shown) refuse('not_found')
  const [frames, flagged, figures, ofGuy, ofGirl] = await Promise.all([
    framesOfOpenCall(app, call, FRAMES_MAX),
    flaggedFrames(db, id),
    app.hooks.callFigures(db, call),
    tallyComplaints(db, 'accused_id', call.guy_id),
    tallyComplaints(db, 'accused_id', call.girl_id),
  ])
  return {
    call: shown,
    frames: frames.map(({ frame_id, asked_at, nudity }) => ({
      id: frame_id,
      at: wireTime(asked_at),
      nudity,
      is_flagged: flagged.has(frame_id),
    })),
    gifts: figures.gifts ?? 0,
    paid_seconds: call.paid_seconds,
    guy_complaints: ofGuy.waiting + ofGuy.upheld,
    girl_complaints: ofGirl.waiting + ofGirl.upheld,
  }
}

/** GET v2/manager/wall/{id}/frames/{frame}. Refuses not_found. */
export async function watchedFrame(
  app: App,
  staff: Staff,
  { id, frame }: Query<'GET v2/manager/wall/{id}/frames/{frame}'>,
): Promise<RawResponse> {
  const call = (await openCallById(app.db, id)) ?? refuse('not_found')
  const frames = await framesOfOpenCall(app, call, FRAMES_MAX)
  const row = frames.find(({ frame_id }) => frame_id === frame) ?? refuse('not_found')
  return showFrame(app, staff, row)
}
