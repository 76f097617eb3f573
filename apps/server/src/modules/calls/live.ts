import type { App, AppContext } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { perApp } from '../../core/module.ts'
import { setActivity } from '../presence/index.ts'
import { setting } from '../settings/index.ts'
import { videoRules, type Call, type Side, type VideoRules } from './call/call.ts'
import type { SignalDesk } from './signal-desk.ts'
import { newSignalDesk } from './signal-desk.ts'

/** What the ledger did for a call so far. */
export interface Money {
  readonly hold_id: number | null
  readonly held_units: bigint
  readonly posted_his: bigint
  readonly posted_hers: bigint
  /** Numbers the ledger keys, so that each step of a call happens once. */
  readonly money_step: number
}

/** A call that is open here: what was decided last, and its place in line. */
export interface LiveCall {
  call: Call
  money: Money
  /** Good time as the row has it. */
  stored_good_ms: number
  /** One thing at a time happens to a call. */
  turn: Promise<unknown>
  cancelWake: () => void
  /** The end of a transaction was not heard: its row may be ahead of what is known here. */
  in_doubt: boolean
  readonly desk: SignalDesk
  /** Lines that each page may still say about its connection. */
  readonly log_lines_left: Record<Side, number>
}

interface Calls {
  readonly by_id: Map<number, LiveCall>
  readonly by_user: Map<UserId, LiveCall>
}

const calls = perApp(
  'calls: running',
  'calls metered by this process; recovered from video_sessions at the next start',
  (): Calls => ({ by_id: new Map(), by_user: new Map() }),
)

export const no_money: Money = {
  hold_id: null,
  held_units: 0n,
  posted_his: 0n,
  posted_hers: 0n,
  money_step: 0,
}

export function liveCall(app: App, session_id: number): LiveCall | undefined {
  return calls(app).by_id.get(session_id)
}

export function liveCallOf(app: AppContext, user_id: UserId): LiveCall | undefined {
  return calls(app).by_user.get(user_id)
}

export function liveCalls(app: App): Iterable<LiveCall> {
  return calls(app).by_id.values()
}

/** More than a long call with every kind of trouble says. */
const log_lines_max = 1000

export function newLiveCall(call: Call): LiveCall {
  return {
    call,
    money: no_money,
    stored_good_ms: call.good_ms,
    turn: Promise.resolve(),
    cancelWake: () => {},
    in_doubt: false,
    // Both were in before a restart: then each has had `new_peer` of this guid.
    desk: newSignalDesk(call.session_guid, call.guy.joined && call.girl.joined),
    log_lines_left: { guy: log_lines_max, girl: log_lines_max },
  }
}

/** From now on the call is found here, and both are seen to be in it. */
export function enliven(
  app: App,
  live: LiveCall,
  { call, money }: { call: Call; money: Money },
): void {
  live.call = call
  live.money = money
  const { by_id, by_user } = calls(app)
  by_id.set(call.session_id, live)
  for (const id of [call.guy_id, call.girl_id]) {
    by_user.set(id, live)
    setActivity(app, id, call.state)
  }
}

/** What was committed is what is known. */
export function becomeKnown(
  app: App,
  live: LiveCall,
  { call, money }: { call: Call; money: Money },
): void {
  live.call = call
  live.money = money
  live.stored_good_ms = call.good_ms
  if (call.status === 'closed') bury(app, live)
  else for (const id of [call.guy_id, call.girl_id]) setActivity(app, id, call.state)
}

function bury(app: App, live: LiveCall): void {
  live.cancelWake()
  const { by_id, by_user } = calls(app)
  by_id.delete(live.call.session_id)
  for (const id of [live.call.guy_id, live.call.girl_id]) {
    if (by_user.get(id) === live) by_user.delete(id)
    setActivity(app, id, 'free')
  }
}

/** Which side of this call somebody is; nobody's else business it is not even there. */
export function sideOf(call: Call, user_id: UserId): Side | undefined {
  if (call.guy_id === user_id) return 'guy'
  return call.girl_id === user_id ? 'girl' : undefined
}

export function idOf(call: Call, side: Side): UserId {
  return side === 'guy' ? call.guy_id : call.girl_id
}

/** The rules as the settings have them now. */
export function rulesNow(app: App): VideoRules {
  return videoRules({
    media_timeout: setting(app, 'media_timeout'),
    partner_grace: setting(app, 'partner_grace'),
    meter_no_frames: setting(app, 'meter_no_frames'),
    meter_no_report: setting(app, 'meter_no_report'),
    meter_pause_row: setting(app, 'meter_pause_row'),
    meter_pause_total: setting(app, 'meter_pause_total'),
    hold_seconds: setting(app, 'hold_seconds'),
    hold_renew: setting(app, 'hold_renew'),
    private_ask_seconds: setting(app, 'private_ask_seconds'),
    private_ask_again: setting(app, 'private_ask_again'),
    private_reserve: setting(app, 'private_reserve'),
  })
}
