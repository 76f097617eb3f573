import type { Answer, Query } from '@duet/protocol'
import { otherRole, type Role } from '@duet/protocol/kernel/roles.ts'
import type { App, Tx } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Member } from '../../core/viewer.ts'
import { isRefusal, refuse } from '../../lib/refusal.ts'
import { assertMaySearch, isHiddenPair, isOpeningRefused } from '../matchmaking/index.ts'
import { isInCall, isOnline } from '../presence/index.ts'
import { changeDate, getUserId } from './date-process.ts'
import type { VirtualDateRecord } from './date-record.ts'
import type { DateEvent } from './date-events.ts'
import { dateById } from './queries.ts'
import { dateView, sideIn } from './views.ts'

type OneDate = Answer<'POST dates/{id}/accept'>
type DateId = Query<'POST dates/{id}/accept'>

/** The girl accepts. Repeating it answers the same. */
export function acceptDate(
  app: App,
  viewer: Member,
  { id }: DateId,
  request: RequestContext,
): Promise<OneDate> {
  return change(app, { viewer, id, request }, async (tx, date) => {
    if (date.state === 'requested') await assertStillPossible(tx, date)
    return { type: 'accepted' }
  })
}

/** The girl declines, and his money goes back. */
export function declineDate(
  app: App,
  viewer: Member,
  { id }: DateId,
  request: RequestContext,
): Promise<OneDate> {
  return change(app, { viewer, id, request }, async () => ({ type: 'declined' }))
}

export function cancelDate(
  app: App,
  viewer: Member,
  { id }: DateId,
  request: RequestContext,
): Promise<OneDate> {
  return change(app, { viewer, id, request }, async (_, date) => ({
    type: 'cancelled',
    side: sideIn(date, viewer.id),
  }))
}

/**
 * The viewer is there. The call opens when both have pressed and both are still free; a repeat gets the same
 * call. Refuses in_call while the viewer is in another call.
 */
export async function startDate(
  app: App,
  viewer: Member,
  { id }: DateId,
  request: RequestContext,
): Promise<OneDate> {
  if (!viewer.age_confirmed) refuse('age_unconfirmed')
  const target = { viewer, id, request }
  try {
    return await press(app, target, true)
  } catch (error) {
    if (!(error instanceof OpeningRefused)) throw error
    if (isInCall(app, viewer.id)) refuse('in_call', { who: 'you' })
    return press(app, target, false)
  }
}

/** The other side is in a call that opened at the same moment. */
class OpeningRefused extends Error {}

async function press(app: App, target: DateOfViewer, isFirstTry: boolean): Promise<OneDate> {
  try {
    return await change(app, target, async (tx, date) => {
      const side = sideIn(date, target.viewer.id)
      if (date.state === 'accepted') await assertMayStart(tx, date, side)
      const isOtherReady = isFirstTry && (await isReady(tx, date, otherRole(side)))
      return { type: 'pressed', side, is_other_ready: isOtherReady }
    })
  } catch (error) {
    const isOwn = isRefusal(error) && !isRefusal(error, 'in_call')
    if (isOwn || !isFirstTry || !isOpeningRefused(error)) throw error
    throw new OpeningRefused('the call could not open', { cause: error })
  }
}

async function assertMayStart(tx: Tx, date: VirtualDateRecord, side: Role): Promise<void> {
  if (isInCall(tx.app, getUserId(date, side))) refuse('in_call', { who: 'you' })
  if (await isHiddenPair(tx, date)) refuse('not_found')
  if (side === 'girl') await assertMaySearch(tx.app, tx, date.girl_id, 'girl')
}

/** Since a side has pressed, it may have left its page, entered a call, or lost its verification. */
async function isReady(tx: Tx, date: VirtualDateRecord, side: Role): Promise<boolean> {
  const user_id = getUserId(date, side)
  if (!isOnline(tx.app, user_id) || isInCall(tx.app, user_id)) return false
  if (side === 'guy') return true
  try {
    await assertMaySearch(tx.app, tx, user_id, 'girl')
    return true
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

async function assertStillPossible(tx: Tx, date: VirtualDateRecord): Promise<void> {
  if (await isHiddenPair(tx, date)) refuse('not_found')
  await assertMaySearch(tx.app, tx, date.girl_id, 'girl')
}

interface DateOfViewer {
  readonly viewer: Member
  readonly id: number
  readonly request: RequestContext
}

async function change(
  app: App,
  { viewer, id, request }: DateOfViewer,
  event: (tx: Tx, date: VirtualDateRecord) => Promise<DateEvent>,
): Promise<OneDate> {
  sideIn((await dateById(app.db, id)) ?? refuse('not_found'), viewer.id)
  await changeDate(app, id, event)
  return { date: await dateView(app, app.db, viewer.id, id, request) }
}
