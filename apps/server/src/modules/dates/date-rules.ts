import type { DateState } from '@duet/protocol'
import { otherRole, type Role } from '@duet/protocol/kernel/roles.ts'
import type { Decision } from '@duet/state-machine/state-machine.ts'
import { unreachable } from '../../lib/assert.ts'
import { plusMs } from '../../lib/clock.ts'
import type { DateCommand, DateEvent } from './date-events.ts'
import {
  answerUntil,
  type DateOpening,
  type DateRules,
  freeUntil,
  missedAmounts,
  PRESS_MS,
  pressedAt,
  REMINDERS_MS,
  type VirtualDateRecord,
} from './date-record.ts'

/**
 * The life of a date as one pure function. The state is the row. What became due by time is decided first, at the moment
 * when it was due.
 */

type DateDecision = Decision<VirtualDateRecord, DateCommand>

export function openDate(opening: DateOpening, now: Temporal.Instant): DateDecision {
  const answer_until = answerUntil(now, opening.at)
  const state: VirtualDateRecord = {
    ...opening,
    state: 'requested',
    opened_at: now,
    answer_until,
    reminders: 0,
    guy_pressed_at: null,
    girl_pressed_at: null,
    session_id: null,
    cancelled_by: null,
    kept_units: 0n,
    earned_units: 0n,
    wake_at: answer_until,
    closed_at: null,
  }
  return { state, commands: [{ type: 'announce', news: 'requested', to: 'girl' }] }
}

/** Decides an event. `before` is not changed. */
export function decideDate(
  before: VirtualDateRecord,
  event: DateEvent,
  now: Temporal.Instant,
  rules: DateRules,
): DateDecision {
  const due = passTime(before, event, now, rules)
  const { state, commands } = apply(due.state, event, now, rules)
  return { state: withWake(state), commands: [...due.commands, ...commands] }
}

function apply(
  date: VirtualDateRecord,
  event: DateEvent,
  now: Temporal.Instant,
  rules: DateRules,
): DateDecision {
  switch (event.type) {
    case 'accepted':
      if (date.state === 'requested') return accept(date, now)
      return date.state === 'accepted' || date.state === 'started' ? unchanged(date) : refused(date)
    case 'declined':
      if (date.state === 'requested')
        return giveBack(date, 'declined', now, { news: 'declined', to: 'guy' })
      return date.state === 'declined' ? unchanged(date) : refused(date)
    case 'cancelled':
      return cancel(date, event.side, now, rules)
    case 'pressed':
      return press(date, event, now)
    case 'separated':
      return separate(date, event.side, now, rules)
    case 'call_opened':
      return { state: { ...date, session_id: event.session_id }, commands: [] }
    case 'call_closed':
      return closeCall(date, event.is_lost, now)
    case 'held_again':
      if (event.hold_id === undefined) return calledOff(date, now)
      return pressAgain({ ...date, hold_id: event.hold_id })
    case 'time_came':
    case 'server_started':
      return unchanged(date)
    default:
      return unreachable(event, 'an event that dates do not have')
  }
}

function unchanged(state: VirtualDateRecord): DateDecision {
  return { state, commands: [] }
}

function refused(state: VirtualDateRecord): DateDecision {
  return { state, commands: [{ type: 'refuse', name: 'pair_over' }] }
}

function isAt(now: Temporal.Instant, time: Temporal.Instant): boolean {
  return Temporal.Instant.compare(now, time) >= 0
}

/** A request that she did not answer, a reminder, or the end of the time to press. */
function passTime(
  date: VirtualDateRecord,
  { type }: DateEvent,
  now: Temporal.Instant,
  rules: DateRules,
): DateDecision {
  if (date.state === 'requested' && isAt(now, date.answer_until))
    return giveBack(date, 'expired', date.answer_until, { news: 'expired', to: 'guy' })
  if (date.state !== 'accepted') return unchanged(date)
  const until = plusMs(date.at, PRESS_MS)
  if (!isAt(now, until)) return remind(date, now)
  // Neither could press while no server ran: then no party has missed the date.
  if (type === 'server_started' || isAt(rules.up_since, date.at))
    return giveBack(date, 'cancelled', until, { news: 'cancelled' })
  return missed(date, until, rules)
}

function missed(date: VirtualDateRecord, until: Temporal.Instant, rules: DateRules): DateDecision {
  if (date.girl_pressed_at === null)
    return giveBack(date, 'she_missed', until, { news: 'she_missed' })
  return keepPart({ ...date, state: 'he_missed', closed_at: until }, rules, { news: 'he_missed' })
}

/** After a long stop the last reminder stands for both. */
function remind(date: VirtualDateRecord, now: Temporal.Instant): DateDecision {
  const reminders = remindersDue(date, now)
  if (reminders <= date.reminders) return unchanged(date)
  return {
    state: { ...date, reminders },
    commands: [{ type: 'remind', before: reminders === 1 ? 'day' : 'soon' }],
  }
}

function remindersDue({ at }: VirtualDateRecord, now: Temporal.Instant): number {
  return REMINDERS_MS.filter((ms) => isAt(now, plusMs(at, -ms))).length
}

/** Reminders whose time has passed count as sent: her answer says the same. */
function accept(date: VirtualDateRecord, now: Temporal.Instant): DateDecision {
  const state = { ...date, state: 'accepted', reminders: remindersDue(date, now) } as const
  return { state, commands: [{ type: 'announce', news: 'accepted', to: 'guy' }] }
}

/**
 * A guy who cancels an accepted date in its last hour costs her the time that she kept free, as if he had missed it. A
 * request that she has not accepted costs nothing.
 */
function cancel(
  date: VirtualDateRecord,
  side: Role,
  now: Temporal.Instant,
  rules: DateRules,
): DateDecision {
  if (date.state === 'cancelled' && date.cancelled_by === side) return unchanged(date)
  if (date.state !== 'requested' && date.state !== 'accepted') return refused(date)
  const cancelled = { ...date, cancelled_by: side }
  const news = { news: 'cancelled', to: otherRole(side) } as const
  if (!isLateFor(date, side, now)) return giveBack(cancelled, 'cancelled', now, news)
  return keepPart({ ...cancelled, state: 'cancelled', closed_at: now }, rules, news)
}

function isLateFor(date: VirtualDateRecord, side: Role | null, now: Temporal.Instant): boolean {
  return date.state === 'accepted' && side === 'guy' && isAt(now, freeUntil(date))
}

/** A guy does not escape the cost of a late cancellation by a block. The other side of an agreed date is told that it is off. */
function separate(
  date: VirtualDateRecord,
  side: Role | null,
  now: Temporal.Instant,
  rules: DateRules,
): DateDecision {
  if (date.state !== 'requested' && date.state !== 'accepted') return unchanged(date)
  const news =
    date.state === 'accepted'
      ? ({ news: 'cancelled', ...(side && { to: otherRole(side) }) } as const)
      : {}
  if (!isLateFor(date, side, now)) return giveBack(date, 'cancelled', now, news)
  const cancelled = { ...date, state: 'cancelled', cancelled_by: side, closed_at: now } as const
  return keepPart(cancelled, rules, news)
}

/**
 * The call opens when both are there. If the side that pressed first has left the page or is in another call, it must
 * press again.
 */
function press(
  date: VirtualDateRecord,
  { side, is_other_ready }: Extract<DateEvent, { type: 'pressed' }>,
  now: Temporal.Instant,
): DateDecision {
  if (date.state === 'started') return unchanged(date)
  if (date.state !== 'accepted' || !isAt(now, date.at)) return refused(date)
  const other = otherRole(side)
  const isFirst = pressedAt(date, side) === null
  const pressed = withPress(date, side, pressedAt(date, side) ?? now)
  if (pressedAt(date, other) === null) {
    if (!isFirst) return unchanged(date)
    return { state: pressed, commands: [{ type: 'announce' }, { type: 'call_in', to: other }] }
  }
  if (!is_other_ready)
    return {
      state: withPress(pressed, other, null),
      commands: [{ type: 'announce' }, { type: 'call_in', to: other }],
    }
  return {
    state: { ...pressed, state: 'started' },
    commands: [{ type: 'open_call' }, { type: 'announce' }],
  }
}

/** A call that never connected is no date: while there is time both may press again. */
function closeCall(date: VirtualDateRecord, isLost: boolean, now: Temporal.Instant): DateDecision {
  if (date.state !== 'started') return unchanged(date)
  if (!isLost)
    return { state: { ...date, state: 'done', closed_at: now }, commands: [{ type: 'announce' }] }
  if (isAt(now, plusMs(date.at, PRESS_MS))) return calledOff(date, now)
  return { state: date, commands: [{ type: 'hold_again' }] }
}

const BEFORE_CALL = { guy_pressed_at: null, girl_pressed_at: null, session_id: null } as const

function pressAgain(date: VirtualDateRecord): DateDecision {
  return {
    state: { ...date, ...BEFORE_CALL, state: 'accepted' },
    commands: [{ type: 'announce', news: 'again' }],
  }
}

/** The call has given the whole hold back. */
function calledOff(date: VirtualDateRecord, now: Temporal.Instant): DateDecision {
  return {
    state: { ...date, ...BEFORE_CALL, state: 'cancelled', closed_at: now },
    commands: [{ type: 'announce', news: 'cancelled' }],
  }
}

function withPress(
  date: VirtualDateRecord,
  side: Role,
  at: Temporal.Instant | null,
): VirtualDateRecord {
  return side === 'guy' ? { ...date, guy_pressed_at: at } : { ...date, girl_pressed_at: at }
}

type Announcement = Omit<Extract<DateCommand, { type: 'announce' }>, 'type'>

function giveBack(
  date: VirtualDateRecord,
  state: DateState,
  at: Temporal.Instant,
  announcement: Announcement = {},
): DateDecision {
  return {
    state: { ...date, state, closed_at: at },
    commands: [{ type: 'release_hold' }, { type: 'announce', ...announcement }],
  }
}

function keepPart(
  date: VirtualDateRecord,
  rules: DateRules,
  announcement: Announcement,
): DateDecision {
  return {
    state: { ...date, ...missedAmounts(date, rules) },
    commands: [{ type: 'keep_part' }, { type: 'announce', ...announcement }],
  }
}

function withWake(date: VirtualDateRecord): VirtualDateRecord {
  const wake_at = nextWake(date)
  const isSame = wake_at === date.wake_at || (wake_at && date.wake_at?.equals(wake_at))
  return isSame ? date : { ...date, wake_at }
}

function nextWake({ state, answer_until, at, reminders }: VirtualDateRecord) {
  if (state === 'requested') return answer_until
  if (state !== 'accepted') return null
  const reminderMs = REMINDERS_MS[reminders]
  return reminderMs === undefined ? plusMs(at, PRESS_MS) : plusMs(at, -reminderMs)
}
