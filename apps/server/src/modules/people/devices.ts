import type { Answer, Body, Query } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { Staff } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import { writeAudit } from '../audit/index.ts'
import { signalsOfUser } from '../client-signals/index.ts'
import { endLoginsAndSockets, readLogins } from '../logins/index.ts'
import { readDeskPeople, requireOtherPerson } from '../staff/index.ts'
import { beginLook } from './begin-look.ts'
import { readSanctioned } from './sanctioned.ts'

/** GET v2/manager/users/{id}/devices. Refuses not_found. */
export async function devicesOfPerson(
  app: App,
  staff: Staff,
  { id }: Query<'GET v2/manager/users/{id}/devices'>,
): Promise<Answer<'GET v2/manager/users/{id}/devices'>> {
  await beginLook(app, staff, { id }, 'devices')
  const logins = await readLogins(app.db, id, 'ended too')
  const signals = await signalsOfUser(app.db, id)
  const others = [...new Set(signals.flatMap(({ shared_with }) => shared_with))]
  const person = await readDeskPeople(app.db, others)
  const sanctioned = await readSanctioned(app.db, others)
  return {
    logins: logins.map(({ created_at, used_at, ended_at, ...login }) => ({
      ...login,
      create_time: wireTime(created_at),
      last_used: wireTime(used_at),
      ended_at: ended_at && wireTime(ended_at),
    })),
    signals: signals.map(({ signal_id, signal, first_at, last_at, shared_with, is_common }) => ({
      id: signal_id,
      signal,
      first_seen: wireTime(first_at),
      last_seen: wireTime(last_at),
      shared: shared_with.map((other) => ({
        user: person(other),
        is_sanctioned: sanctioned.has(other),
      })),
      is_common,
    })),
  }
}

/** POST v2/manager/users/{id}/logins/{login_id}/end. Refuses not_found, role_forbidden. */
export async function endLoginOfPerson(
  app: App,
  staff: Staff,
  {
    id: user_id,
    login_id,
    reason,
  }: Query<'POST v2/manager/users/{id}/logins/{login_id}/end'> &
    Body<'POST v2/manager/users/{id}/logins/{login_id}/end'>,
): Promise<Answer<'POST v2/manager/users/{id}/logins/{login_id}/end'>> {
  await app.transact(async (tx) => {
    await requireOtherPerson(tx, staff, [user_id])
    if ((await endLoginsAndSockets(tx, user_id, { only: login_id })) === 0) refuse('not_found')
    await writeAudit(tx, { staff, act: 'login_end', user_id, reason, facts: { login_id } })
  })
  return {}
}
