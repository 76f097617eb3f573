import type { App } from '../../core/app.ts'
import { CommandRefused } from '../../platform/operator/commands.ts'
import type { UserId } from '../../core/ids.ts'
import { wireTime } from '../../lib/clock.ts'
import { type CallOutline, callLogLines, callOutline } from '../calls/index.ts'
import { cameraFailuresSince, readEvents, sidesOfCall } from './queries.ts'
import { type QualityEvent, summarise } from './rules/summary.ts'

const SIDES = ['guy', 'girl'] as const
/** Of each side. */
const TIMELINE_MAX = 1_000

interface TimelineEntry {
  readonly at: string
  readonly side: (typeof SIDES)[number]
  readonly kind: string
  readonly name: string
  readonly details: unknown
}

/** How a call was for both of its sides: sums, and everything that the two pages reported, in the order of time. */
export async function showCall(app: App, sessionId: number): Promise<object> {
  const call = await callOutline(app.db, sessionId)
  if (!call) throw new CommandRefused(`There is no call ${sessionId}.`)
  const records = await sidesOfCall(app.db, sessionId)
  const timeline: TimelineEntry[] = await listLogLines(app, sessionId, call)
  const shown: Record<string, unknown> = {}
  for (const side of SIDES) {
    const user_id = call[`${side}_id`]
    const record = records.find((one) => one.user_id === user_id)
    const events = await readEvents(app.db, { session_id: sessionId, user_id }, TIMELINE_MAX)
    timeline.push(...events.map((event) => toEntry(side, event)))
    shown[side] = {
      user_id,
      ...(record && {
        summary: record.summary ?? { running: true, ...summarise(events) },
        reports: record.reports,
        poor_reports: record.poor_reports,
        opinion: record.opinion,
        app_version: record.app_version,
        is_watched: record.is_watched,
        device: record.device,
      }),
      camera_failures: await listCameraFailures(app, user_id, call),
    }
  }
  return {
    session_id: sessionId,
    opened_at: wireTime(call.opened_at),
    connected_at: call.connected_at && wireTime(call.connected_at),
    closed_at: call.closed_at && wireTime(call.closed_at),
    reason: call.reason,
    ...shown,
    timeline: timeline.toSorted((one, other) => (one.at < other.at ? -1 : 1)),
  }
}

function toEntry(
  side: TimelineEntry['side'],
  { at, kind, name, details }: QualityEvent,
): TimelineEntry {
  return { at: wireTime(at), side, kind, name, details }
}

async function listLogLines(
  app: App,
  sessionId: number,
  call: CallOutline,
): Promise<TimelineEntry[]> {
  const lines = await callLogLines(app.db, sessionId, call)
  return lines.map(({ user_id, at, level, text }) => ({
    at: wireTime(at),
    side: user_id === call.guy_id ? 'guy' : 'girl',
    kind: 'log',
    name: level,
    details: text,
  }))
}

/** Failures before a call explain a call without a picture. */
const FAILURES_BEFORE_MINUTES = 10

async function listCameraFailures(app: App, userId: UserId, { opened_at }: CallOutline) {
  const since = opened_at.subtract({ minutes: FAILURES_BEFORE_MINUTES })
  const failures = await cameraFailuresSince(app.db, userId, since)
  return failures.map(({ at, ...failure }) => ({ at: wireTime(at), ...failure }))
}
