import { otherRole } from '@duet/protocol/kernel/roles.ts'
import type { Answer, PastCall, Query } from '@duet/protocol'
import { wireTime } from '../../../lib/clock.ts'
import { toWire } from '../../../lib/money.ts'
import { paginate } from '../../../lib/paging/pagination.ts'
import type { App } from '../../../core/app.ts'
import type { Member } from '../../../core/viewer.ts'
import type { UserId } from '../../../core/ids.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import { interlocutors } from '../../identity/index.ts'
import { callPermissions } from '../../presence/index.ts'
import { clearedHistory } from '../queries.ts'
import { getUserId, type Side } from '../rules/call.ts'
import { receipt } from '../rules/receipt.ts'
import { isCall, type PastRow, readPastRows } from './past-rows.ts'

/** The viewer's own past calls, newest first. */
export async function historyChats(
  app: App,
  viewer: Member,
  query: Query<'GET history_chats'>,
  context: RequestContext,
): Promise<Answer<'GET history_chats'>> {
  const side = viewer.role === 'girl' ? 'girl' : 'guy'
  const cleared = await clearedHistory(app.db, viewer.id)
  const { rows, after } = await readPastRows(app, { user_id: viewer.id, side, cleared }, query)
  const page = paginate(query, rows)
  const others = await readOthers(
    app,
    viewer,
    context,
    page.items.map((row) => getUserId(row, otherRole(side))),
  )
  const items = page.items.map((row) => ({
    ...readFacts(row, side),
    ...others(getUserId(row, otherRole(side))),
    started_at: wireTime(row.opened_at),
  }))
  return { ...page, items, ...(after !== undefined && { after }) }
}

/**
 * The other users of past calls. A user who is hidden from the viewer is not shown, but the receipt stays, and a complaint
 * stays possible.
 */
async function readOthers(
  app: App,
  viewer: Member,
  { country }: RequestContext,
  userIds: readonly UserId[],
): Promise<(user_id: UserId) => Pick<PastCall, 'user_id' | 'user_interlocutor' | 'can_call'>> {
  const ids = [...new Set(userIds)]
  const [people, calls, bySocket, byRequest] = await Promise.all([
    interlocutors(app, app.db, viewer.id, ids),
    callPermissions.get(app)(app, app.db, viewer, ids),
    app.hooks.hiddenUsers(app.db, { id: viewer.id }, ids),
    app.hooks.hiddenUsers(app.db, { id: viewer.id, country }, ids),
  ])
  const hidden = new Set([...bySocket, ...byRequest])
  const byId = new Map(people.map((person) => [person.id, person]))
  return (user_id) => {
    const person = hidden.has(user_id) ? undefined : byId.get(user_id)
    if (!person) return { user_id, user_interlocutor: null }
    return { user_id, user_interlocutor: person, can_call: calls.get(user_id) }
  }
}

function readFacts(row: PastRow, side: Side) {
  if (!isCall(row))
    return {
      id: `ring-${row.pair_id}`,
      session_id: null,
      state: 'private' as const,
      ...NOTHING_TALKED,
      paused: [],
      missed: row.missed,
      is_caller: row.caller === side,
      reason: row.reason,
    }
  const { spent, earned, paused, ...facts } = receipt(row, side)
  return {
    id: `call-${row.session_id}`,
    state: row.state,
    ...facts,
    paused: paused.map(({ from, ...pause }) => ({ ...pause, from: wireTime(from) })),
    ...(side === 'guy'
      ? { spent: toWire('diamond', spent ?? 0n) }
      : { earned: toWire('coin', earned ?? 0n) }),
  }
}

const NOTHING_TALKED = {
  seconds: 0,
  paid_seconds: 0,
  free_seconds: 0,
  quota_seconds: 0,
}
