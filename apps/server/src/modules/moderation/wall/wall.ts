import type { Answer, Query, WallCall, WallNetwork } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import { perApp } from '../../../core/app-state.ts'
import type { RawResponse } from '../../../core/raw-response.ts'
import type { Staff } from '../../../core/viewer.ts'
import { wireTime } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { sharedRead } from '../../../platform/database/statements/shared-read.ts'
import { writeAudit } from '../../audit/index.ts'
import { readOnlineFigures } from '../../presence/index.ts'
import { readDeskPeople, requireOtherPerson } from '../../staff/index.ts'
import { tallyComplaints } from '../complaints/desk-queries.ts'
import { readFrame } from '../frames/frame-files.ts'
import { flaggedFrames, framesOfCall, type FrameRow } from '../frames/frame-store.ts'
import { showFrame } from '../frames/show-frame.ts'
import { shownJpeg } from '../../media/index.ts'
import { networkSource } from './network.ts'
import {
  type OpenCall,
  openCallById,
  readFound,
  readHappenings,
  readRated,
  readShown,
} from './wall-queries.ts'
import { chooseCalls, countShown, type RatedCall, rateRisk, readReasons } from './wall-rules.ts'

/** Calls that a page of the wall shows. */
const SHOWN_MAX = 60
/** All who watch share one read of the database. */
const READ_EVERY_MS = 2000
const RECORD_EVERY_MS = 10 * 60_000
const FRAMES_MAX = 6

/** When each member of staff was last recorded as watching. */
const recordedWatchers = perApp(
  'moderation: wall',
  'who was recorded as watching; they are recorded again',
  () => new Map<number, number>(),
)

const ratedCalls = sharedRead<readonly RatedCall[]>('moderation: rated calls', READ_EVERY_MS)
/** Most who watch see the same calls. */
const partsOnWall = sharedRead<ShownParts>('moderation: calls on the wall', READ_EVERY_MS)

async function callsOnWall(
  app: App,
  calls: readonly RatedCall[],
): Promise<ReadonlyMap<number, WallCall>> {
  if (calls.length === 0) return new Map()
  const ids = calls.map(({ session_id }) => session_id).toSorted((one, other) => one - other)
  return shownCalls(calls, await partsOnWall.get(app, ids.join(' '), () => readParts(app, calls)))
}

/** GET v2/manager/wall. */
export async function wallPage(
  app: App,
  staff: Staff,
  { show, order, find = '', open }: Query<'GET v2/manager/wall'>,
): Promise<Answer<'GET v2/manager/wall'>> {
  const recorded = recordedWatchers(app)
  const nowMs = app.clock.now().epochMilliseconds
  if (nowMs - (recorded.get(staff.id) ?? -RECORD_EVERY_MS) >= RECORD_EVERY_MS) {
    await app.transact((tx) => writeAudit(tx, { staff, act: 'wall_view', facts: {} }))
    recorded.set(staff.id, nowMs)
  }
  const rated = await ratedCalls.get(app, '', () => readRated(app.db, app.clock.now()))
  const people = rated.flatMap(({ guy_id, girl_id }) => [guy_id, girl_id])
  const ids = find.trim() === '' ? undefined : await readFound(app.db, find.trim(), people)
  const found = chooseCalls(rated, show, order, ids)
  const first = found.slice(0, SHOWN_MAX)
  const opened = rated.filter((call) => call.session_id === open && !first.includes(call))
  const [shown, others] = await Promise.all([callsOnWall(app, first), callsOnWall(app, opened)])
  const { guys: men, girls: women, searching } = await readOnlineFigures(app)
  const counts = countShown(rated)
  const private_calls = counts.private
  const public_calls = counts.all - private_calls
  return {
    figures: { men, women, searching, public_calls, private_calls },
    counts,
    calls: first.flatMap(({ session_id }) => shown.get(session_id) ?? []),
    found: found.length,
    opened: (open !== undefined && (shown.get(open) ?? others.get(open))) || null,
  }
}

type ShownParts = Awaited<ReturnType<typeof readParts>>

/** The parts of calls that are shown and not rated. */
async function readParts(app: App, calls: readonly RatedCall[]) {
  const { db, clock } = app
  const ids = calls.map(({ session_id }) => session_id)
  const [person, rows, networks] = await Promise.all([
    readDeskPeople(db, [...new Set(calls.flatMap(({ guy_id, girl_id }) => [guy_id, girl_id]))]),
    readShown(db, ids),
    networkSource.get(app).latest(db, ids, clock.now()),
  ])
  return { person, rows, networks }
}

function shownCalls(
  calls: readonly RatedCall[],
  { person, rows, networks }: ShownParts,
): ReadonlyMap<number, WallCall> {
  const known = new Map(networks.map((one) => [`${one.session_id} ${one.user_id}`, one]))
  const network = (call: RatedCall, user_id: number, weak: boolean): WallNetwork => {
    const { score, rtt_ms, loss_percent, out_kbps } =
      known.get(`${call.session_id} ${user_id}`) ?? NO_REPORT
    return { weak, score, rtt_ms, loss_percent, out_kbps }
  }
  return new Map(
    calls.flatMap((call) => {
      const row = rows.get(call.session_id)
      if (!row) return []
      const shown: WallCall = {
        session_id: call.session_id,
        guy: person(call.guy_id),
        girl: person(call.girl_id),
        is_private: call.is_private,
        opened_at: wireTime(row.opened_at),
        connected_at: row.connected_at && wireTime(row.connected_at),
        frame_at: row.frame_at && wireTime(row.frame_at),
        risk: rateRisk(call),
        reasons: readReasons(call),
        network: {
          guy: network(call, call.guy_id, row.guy_weak),
          girl: network(call, call.girl_id, row.girl_weak),
        },
      }
      return [[call.session_id, shown]]
    }),
  )
}

const NO_REPORT = { score: null, rtt_ms: null, loss_percent: null, out_kbps: null }

async function framesOfOpenCall(app: App, call: OpenCall, limit: number): Promise<FrameRow[]> {
  // Also the frames from before it became private are not for the wall any more.
  return call.state === 'public' ? framesOfCall(app.db, call.session_id, limit) : []
}

/** GET v2/manager/wall/{id}/tile. */
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

/** POST v2/manager/wall/{id}/open. The look is recorded before anything is read. */
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
  const rated = (await readRated(db, app.clock.now(), id))[0] ?? refuse('not_found')
  const shown = shownCalls([rated], await readParts(app, [rated])).get(id) ?? refuse('not_found')
  const [frames, bitrates, happenings, flagged, figures, ofGuy, ofGirl] = await Promise.all([
    framesOfOpenCall(app, call, FRAMES_MAX),
    networkSource.get(app).bitrates(db, { session_id: id, user_id: call.girl_id }),
    readHappenings(db, call),
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
    bitrates: [...bitrates],
    events: happenings.map(({ at, name, detail }) => ({ at: wireTime(at), name, detail })),
  }
}

/** GET v2/manager/wall/{id}/frames/{frame}. */
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
