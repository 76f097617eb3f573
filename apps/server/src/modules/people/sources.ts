import type { Answer, Query } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Staff } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import { toWire } from '../../lib/money.ts'
import { refuse } from '../../lib/refusal.ts'
import { callForStaff } from '../calls/index.ts'
import { givenGift, giftsInCall } from '../gifts/index.ts'
import { writtenMessage } from '../messenger/index.ts'
import { readDeskPeople } from '../staff/index.ts'
import { beginLook } from './begin-look.ts'

type Source = Answer<'GET v2/manager/users/{id}/sources/{cause}/{cause_id}'>

/**
 * GET v2/manager/users/{id}/sources/{cause}/{cause_id}: the call, gift or message of a movement, without what was written.
 * Refuses not_found for one that the person had no part in, role_forbidden.
 */
export async function movementSource(
  app: App,
  staff: Staff,
  { id, cause, cause_id }: Query<'GET v2/manager/users/{id}/sources/{cause}/{cause_id}'>,
): Promise<Source> {
  if (cause === 'message' && staff.staff_role === 'finance') refuse('role_forbidden')
  await beginLook(app, staff, { id }, 'source', { cause, cause_id: String(cause_id) })
  if (cause === 'call') return callSource(app, id, cause_id)
  return cause === 'gift' ? giftSource(app, staff, id, cause_id) : messageSource(app, id, cause_id)
}

async function callSource(app: App, user_id: UserId, session_id: number): Promise<Source> {
  const call = (await callForStaff(app.db, session_id)) ?? refuse('not_found')
  const { guy_id, girl_id, opened_at, connected_at, private_at, closed_at } = call
  if (user_id !== guy_id && user_id !== girl_id) refuse('not_found')
  const person = await readDeskPeople(app.db, [guy_id, girl_id])
  const gifts = await giftsInCall(app.db, call)
  const moments = [
    { type: 'opened', at: opened_at },
    { type: 'connected', at: connected_at },
    { type: 'private', at: private_at },
    ...gifts.map(({ at, name, giver_id }) => ({
      type: 'gift' as const,
      at,
      gift: name,
      user: person(giver_id),
    })),
    { type: 'ended', at: closed_at, reason: call.reason ?? '' },
  ] as const
  return {
    cause: 'call',
    session_id,
    guy: person(guy_id),
    girl: person(girl_id),
    is_private: call.state === 'private',
    paid_seconds: call.paid_seconds,
    timeline: moments
      .flatMap(({ at, ...moment }) => (at === null ? [] : [{ ...moment, at: wireTime(at) }]))
      .toSorted((one, other) => one.at.localeCompare(other.at)),
  }
}

/** Amounts are for those who read ledgers. */
async function giftSource(
  app: App,
  { staff_role }: Staff,
  user_id: UserId,
  id: number,
): Promise<Source> {
  const given = (await givenGift(app.db, id)) ?? refuse('not_found')
  const { giver_id, girl_id, session_id, at, name, price, reward } = given
  if (user_id !== giver_id && user_id !== girl_id) refuse('not_found')
  const person = await readDeskPeople(app.db, [giver_id, girl_id])
  const readsLedgers = staff_role === 'finance' || staff_role === 'owner'
  return {
    cause: 'gift',
    gift: name,
    guy: person(giver_id),
    girl: person(girl_id),
    price: readsLedgers ? toWire('diamond', price) : null,
    reward: readsLedgers ? toWire('coin', reward) : null,
    session_id,
    at: wireTime(at),
  }
}

/** Only the partner and the time: its text is in the dialog, which opens with a reason. */
async function messageSource(app: App, user_id: UserId, message_id: number): Promise<Source> {
  const message = (await writtenMessage(app.db, message_id)) ?? refuse('not_found')
  const { sender_id, receiver_id, create_time } = message
  if (user_id !== sender_id && user_id !== receiver_id) refuse('not_found')
  const partner_id = user_id === sender_id ? receiver_id : sender_id
  const person = await readDeskPeople(app.db, [partner_id])
  return { cause: 'message', message_id, partner: person(partner_id), at: wireTime(create_time) }
}
