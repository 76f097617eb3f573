import { otherRole } from '@duet/protocol/kernel/roles.ts'
import type { Meter, Payload, Session, SessionUp } from '@duet/protocol'
import { wireTime } from '../../lib/clock.ts'
import { toWire } from '../../lib/money.ts'
import type { App } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import { interlocutor, readOrtcToken } from '../identity/index.ts'
import { shownBalances } from '../ledger/index.ts'
import { setting } from '../settings/index.ts'
import { ASSET_OF } from './money.ts'
import { registeredCall } from './call-registry.ts'
import { readTexts } from './queries.ts'
import type { CallReceipt, CallMeterReading } from './rules/call-events.ts'
import { getUserId, type Call, type Side } from './rules/call.ts'
import { minuteUnits } from './rules/receipt.ts'
import { readMeter } from './rules/review.ts'
import { getMedia, getSoundOnly } from './rules/sound-only.ts'

/** A call as one of its two parties sees it. */
export async function readSession(app: App, db: Db, call: Call, side: Side): Promise<Session> {
  const other = otherRole(side)
  const userId = getUserId(call, side)
  const { joined, gone_at_ms } = call[other]
  const prepare_id = registeredCall(app, call.session_id)?.prepare_id
  return {
    id: call.session_id,
    kind: call.kind,
    state: call.state,
    user_interlocutor: await interlocutor(app, db, userId, getUserId(call, other)),
    ortc_token: await readOrtcToken(app, db, userId),
    interlocutorConnection: joined && gone_at_ms === null ? 'connected' : 'waiting',
    session_guid: call.session_guid,
    // One side must be the impolite side of the negotiation, and it is always the same side.
    initiator: side === 'guy',
    ...(prepare_id !== undefined && { prepare_id }),
    price: toWire(ASSET_OF[side], minuteUnits(call, side)),
    free_seconds: call.free_seconds,
    quota_seconds: call.quota_seconds,
    paid_after: call.free_seconds,
    partner_grace: setting(app, 'partner_grace'),
    private_ask_again: setting(app, 'private_ask_again'),
    started_at: wireTime(call.opened_at),
    ...(call.connected_at && { connected_at: wireTime(call.connected_at) }),
    ...(side === 'girl' && { break_set: call.break_set }),
  }
}

/** The data with which a page continues a running call after a reload. */
export async function readActiveSession(
  app: App,
  db: Db,
  call: Call,
  side: Side,
): Promise<Session> {
  const [session, texts, meter] = await Promise.all([
    readSession(app, db, call, side),
    readTexts(db, call.session_id),
    currentMeter(app, db, call, side),
  ])
  const request = call.ask && call.ask.by !== side ? getSessionUp(app, call, side) : undefined
  const { audio, video } = call[side]
  const soundOnly = getSoundOnly(call, side)
  return {
    ...session,
    texts,
    ...(meter && { meter }),
    ...(request && { session_up: request }),
    ...(audio !== undefined && { own_media: { audio, video } }),
    partner_media: getMedia(call[otherRole(side)]),
    ...((soundOnly.own || soundOnly.partner) && { sound_only: soundOnly }),
  }
}

function getSessionUp(app: App, call: Call, side: Side): SessionUp {
  return {
    session_id: call.session_id,
    user_id: getUserId(call, otherRole(side)),
    expires_in_ms: Math.max(0, call.ask!.expires_at_ms - app.clock.now().epochMilliseconds),
    price: toWire(ASSET_OF[side], minuteUnits(call, side, 'private')),
  }
}

async function currentMeter(app: App, db: Db, call: Call, side: Side): Promise<Meter | undefined> {
  if (!call.phase) return undefined
  const meter = getMeter(call, side, readMeter(call, app.clock.now()))
  if (side === 'girl') return meter
  const { balance } = await shownBalances(app, db, call.guy_id)
  return { ...meter, balance }
}

/** The meter for one side; the caller adds the guy's balance. */
export function getMeter(call: Call, side: Side, reading: CallMeterReading): Meter {
  return {
    session_id: call.session_id,
    phase: reading.phase,
    ...(reading.why && { why: reading.why }),
    phase_since: wireTime(reading.phase_since),
    paid_seconds: reading.paid_seconds,
    ...(side === 'girl' && { earned: toWire('coin', reading.earned) }),
    ...(reading.ends_at && { ends_at: wireTime(reading.ends_at) }),
  }
}

/** close_session for one side. */
export function getReceipt(
  receipt: CallReceipt,
  side: Side,
  balance: string,
): Payload<'close_session'> {
  const { spent, earned, paused, ...rest } = receipt
  return {
    ...rest,
    paused: paused.map(({ from, seconds, why }) => ({ from: wireTime(from), seconds, why })),
    ...(side === 'guy'
      ? { spent: toWire('diamond', spent ?? 0n) }
      : { earned: toWire('coin', earned ?? 0n) }),
    balance,
  }
}
