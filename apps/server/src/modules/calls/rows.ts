import type { CloseReason } from '@duet/protocol/contracts/calls.ts'
import type { MeterPhase, PauseReason } from '@duet/protocol/kernel/entities.ts'
import type { Insertable, Selectable } from 'kysely'
import type { Tables } from '../../core/tables.gen.ts'
import type { CallMoney, StoredCall } from './stored-call.ts'
import type { Call, CallParty, CallPause, PrivateRequest } from './rules/call.ts'

export type CallRow = Selectable<Tables['video_sessions']>
type NewCallRow = Insertable<Tables['video_sessions']>

/** The columns of a call and its money, without those that name the owner. */
export function toRow({ call, money }: StoredCall): NewCallRow {
  const { guy, girl, paused, ask } = call
  return {
    ...call,
    ...money,
    guy: JSON.stringify(guy),
    girl: JSON.stringify(girl),
    paused: JSON.stringify(paused),
    ask: ask && JSON.stringify(ask),
  }
}

/** The same as one value of a JSON text that `jsonb_populate_recordset` reads. */
export function getJsonRow({ call, money }: StoredCall): Record<string, unknown> {
  const amounts = (record: object) =>
    Object.entries(record).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'bigint' ? value.toString() : value,
    ])
  return Object.fromEntries([...amounts(call), ...amounts(money)]) as Record<string, unknown>
}

export function toStoredCall(row: CallRow): StoredCall {
  return { call: toCall(row), money: toMoney(row) }
}

/** The checks of the table hold the values of its text columns, and only `toRow` writes its JSON columns. */
export function toCall(row: CallRow): Call {
  return {
    session_id: row.session_id,
    session_guid: row.session_guid,
    guy_id: row.guy_id,
    girl_id: row.girl_id,
    kind: row.kind as Call['kind'],
    state: row.state as Call['state'],
    status: row.status as Call['status'],
    opened_at: row.opened_at,
    connected_at: row.connected_at,
    closed_at: row.closed_at,
    reason: row.reason as CloseReason | null,
    price_public: row.price_public,
    price_private: row.price_private,
    earn_public: row.earn_public,
    earn_private: row.earn_private,
    free_seconds: row.free_seconds,
    quota_seconds: row.quota_seconds,
    private_from: row.private_from,
    private_at: row.private_at,
    good_ms: row.good_ms,
    last_round_at: row.last_round_at,
    free_used: row.free_used,
    quota_used: row.quota_used,
    paid_seconds: row.paid_seconds,
    phase: row.phase as MeterPhase | null,
    phase_since: row.phase_since,
    why: row.why as PauseReason | null,
    posted_seconds: row.posted_seconds,
    funded_seconds: row.funded_seconds,
    quota_taken: row.quota_taken,
    hold_asked_at: row.hold_asked_at,
    hold_dry: row.hold_dry,
    break_set: row.break_set,
    guy_next: row.guy_next,
    flagged: row.flagged,
    guy: row.guy as CallParty,
    girl: row.girl as CallParty,
    paused: row.paused as CallPause[],
    ask: row.ask as PrivateRequest | null,
    guy_trusted: row.guy_trusted,
    contradicted_ms: row.contradicted_ms,
    contradicted_until: row.contradicted_until,
    broken_ms: row.broken_ms,
    broken_since: row.broken_since,
    media_due_at: row.media_due_at,
    server_until: row.server_until,
    meter_sent_at: row.meter_sent_at,
    wake_at: row.wake_at,
  }
}

function toMoney(row: CallRow): CallMoney {
  return {
    hold_id: row.hold_id,
    held_units: row.held_units,
    posted_his: row.posted_his,
    posted_hers: row.posted_hers,
    money_step: row.money_step,
  }
}
