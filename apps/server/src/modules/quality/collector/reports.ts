import { randomUUID } from 'node:crypto'
import { limits, type Answer, type Body } from '@duet/protocol'
import {
  BatchedEvent,
  type ConnectionEvent,
  type QualityBody,
  type QualityIds,
  type TrackEvent,
} from '@duet/protocol/contracts/quality.ts'
import type { App } from '../../../core/app.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Viewer } from '../../../core/viewer.ts'
import { refuse } from '../../../lib/refusal.ts'
import { readConnectionDetails } from '../rules/connection-details.ts'
import { cutFacts, cutText, readAge } from '../rules/facts.ts'
import { isPoor } from '../rules/score.ts'
import { readSample } from '../rules/stats-sample.ts'
import type { EventKind } from '../rules/summary.ts'
import { storeOpinion, type NewReport } from '../store.ts'
import { type Reporter, refuseSession, requirePeer, takeReport } from './peer.ts'

/** A handler of the collector that stores what `toReport` makes of the body. */
function reported<B extends QualityBody>(toReport: (body: B, peer: Reporter) => NewReport) {
  return async (
    app: App,
    _viewer: Viewer,
    body: B,
    context: RequestContext,
  ): Promise<QualityIds> => {
    const peer = requirePeer(app, body, context)
    await takeReport(app.db, peer, toReport(body, peer))
    return {}
  }
}

function event(peer: Reporter, kind: EventKind, name: string, details: Record<string, unknown>) {
  const cut = cutFacts(details, limits.quality_event_bytes)
  return { at: peer.at, kind, name: cutText(name), details: cut }
}

const DEVICE_BYTES = 8 * 1024

export const addDevice = reported<Body<'PUT /quality/v1/session'>>(
  ({ sessionId: _session, peerId: _peer, timestamp: _at, delta: _delta, ...device }) => ({
    events: [],
    device: cutFacts(device, DEVICE_BYTES),
  }),
)

export const endSession = reported<Body<'POST /quality/v1/close-session'>>((_body, peer) => ({
  events: [event(peer, 'device', 'closed', {})],
  is_end: true,
}))

export const deviceEvent = reported<Body<'POST /quality/v1/device-event'>>(
  ({ eventName, data = null }, peer) => {
    if (eventName === 'custom' && bytesIn(data) > limits.quality_event_bytes) refuse('too_large')
    return { events: [event(peer, 'device', eventName, { data })] }
  },
)

function bytesIn(data: unknown): number {
  return Buffer.byteLength(JSON.stringify(data))
}

export const gumEvent = reported<Body<'POST /quality/v1/gum-event'>>(
  ({ eventName, data = null }, peer) => ({ events: [event(peer, 'gum', eventName, { data })] }),
)

export const trackEvent = reported<TrackEvent>(
  ({ event: name, connectionId, trackId, data = null }, peer) => ({
    events: [event(peer, 'track', name, { track: trackId, data })],
    connection_id: connectionId,
  }),
)

export const statsReport = reported<Body<'POST /quality/v1/stats'>>(
  ({ connectionId, data }, peer) => {
    const sample = readSample(data)
    return {
      events: [{ at: peer.at, kind: 'stats', name: 'stats', details: sample }],
      stats: { is_poor: isPoor(sample), sample, raw: cutFacts(data, limits.quality_body_bytes) },
      connection_id: connectionId,
    }
  },
)

export const issueReport = reported<Body<'POST /quality/v1/webrtc-issue'>>(
  ({ issue: { reason, ...issue }, connectionId }, peer) => ({
    events: [event(peer, 'issue', reason, issue)],
    connection_id: connectionId,
  }),
)

/** A score of the network is a report. The opinion of the user comes after the call, when no report is taken any more. */
export async function scoreReport(
  app: App,
  _viewer: Viewer,
  body: Body<'POST /quality/v1/webrtc-score'>,
  context: RequestContext,
): Promise<Answer<'POST /quality/v1/webrtc-score'>> {
  const peer = requirePeer(app, body, context)
  const { opinion, ...score } = body.score
  if (opinion !== undefined) {
    if (!(await storeOpinion(app.db, peer, opinion))) refuseSession()
    return {}
  }
  await takeReport(app.db, peer, {
    events: [event(peer, 'score', 'network', score)],
    connection_id: body.connectionId,
  })
  return {}
}

export async function connectionEvent(
  app: App,
  _viewer: Viewer,
  body: ConnectionEvent,
  context: RequestContext,
): Promise<QualityIds> {
  const peer = requirePeer(app, body, context)
  const { connectionId = randomUUID() } = body
  const report = connectionReport({ ...body, connectionId }, peer)
  if (!report) refuse('invalid')
  await takeReport(app.db, peer, report)
  return { peer_id: String(peer.user_id), connection_id: connectionId }
}

/** Undefined: no browser has the state that the event names. */
function connectionReport(
  body: Omit<ConnectionEvent, 'sessionId' | 'peerId'>,
  peer: Reporter,
): NewReport | undefined {
  const details = readConnectionDetails(body)
  if (!details) return undefined
  const { eventName, connectionId, timeDelta } = body
  const at = peer.at.subtract({ milliseconds: readAge(timeDelta) })
  const events = [event({ ...peer, at }, 'connection', eventName, details)]
  if (eventName === 'addConnection') return { events, added_id: connectionId! }
  if (eventName === 'removeConnection')
    return { events, removed_id: connectionId!, connection_id: connectionId }
  return { events, connection_id: connectionId }
}

/** An event that no browser sends is left out; the others are stored, all of them or none. */
export async function connectionBatch(
  app: App,
  _viewer: Viewer,
  body: Body<'POST /quality/v1/rtc-connection-batch'>,
  context: RequestContext,
): Promise<QualityIds> {
  const peer = requirePeer(app, body, context)
  const reports: NewReport[] = []
  for (const one of body.events) {
    const parsed = BatchedEvent.safeParse(one)
    const report = parsed.success ? connectionReport(parsed.data, peer) : undefined
    const last = reports.at(-1)
    if (last && report && isSameConnection(last, report))
      reports.splice(-1, 1, { ...last, events: [...last.events, ...report.events] })
    else if (report) reports.push(report)
  }
  await app.transact(async (tx) => {
    for (const report of reports) await takeReport(tx, peer, report)
  })
  return {}
}

/** Neither report adds or removes its connection, so both are one statement. */
function isSameConnection(one: NewReport, other: NewReport): boolean {
  const changes = [one, other].some(({ added_id, removed_id }) => added_id ?? removed_id)
  return !changes && one.connection_id === other.connection_id
}
