import { otherRole } from '@duet/protocol/kernel/roles.ts'
import type { Answer, Query } from '@duet/protocol'
import { wireTime } from '../../../lib/clock.ts'
import { toWire } from '../../../lib/money.ts'
import { paginate, offsetAndLimit } from '../../../lib/pagination.ts'
import type { App } from '../../../core/app.ts'
import type { Member } from '../../../core/viewer.ts'
import type { UserId } from '../../../core/ids.ts'
import { interlocutors } from '../../identity/index.ts'
import { type RingInVain, ringsInVain } from '../../matchmaking/index.ts'
import { closedCalls } from '../queries.ts'
import { type Call, getUserId, type Side } from '../rules/call.ts'
import { receipt } from '../rules/receipt.ts'

/** The viewer's own past calls, newest first. */
export async function historyChats(
  app: App,
  viewer: Member,
  query: Query<'GET history_chats'>,
): Promise<Answer<'GET history_chats'>> {
  const side = viewer.role === 'girl' ? 'girl' : 'guy'
  const rows = await readPage(app, { user_id: viewer.id, side }, offsetAndLimit(query))
  const otherId = (row: PastRow) => getUserId(row, otherRole(side))
  const people = await interlocutors(app, app.db, viewer.id, [...new Set(rows.map(otherId))])
  const peopleById = new Map(people.map((person) => [person.id, person]))
  const items = rows.flatMap((row) => {
    const user_interlocutor = peopleById.get(otherId(row))
    if (!user_interlocutor) return []
    const started_at = wireTime(row.opened_at)
    return [{ user_interlocutor, started_at, ...readFacts(row, side) }]
  })
  return { ...paginate(query, items), next: rows.length > query['per-page'] }
}

type PastRow = Call | RingInVain

/** Calls, and rings that came to no call, in the order of their beginnings. */
async function readPage(
  app: App,
  of: { readonly user_id: UserId; readonly side: Side },
  page: { readonly offset: number; readonly limit: number },
): Promise<PastRow[]> {
  const rings = await ringsInVain(app.db, of, page.offset + page.limit)
  if (rings.length === 0) return closedCalls(app.db, of, page)
  const calls = await closedCalls(app.db, of, { offset: 0, limit: page.offset + page.limit })
  return [...calls, ...rings]
    .toSorted((one, other) => Temporal.Instant.compare(other.opened_at, one.opened_at))
    .slice(page.offset, page.offset + page.limit)
}

function readFacts(row: PastRow, side: Side) {
  if (!('session_id' in row))
    return {
      session_id: null,
      state: 'private' as const,
      seconds: 0,
      paid_seconds: 0,
      missed: true,
      reason: row.reason,
    }
  const { reason, seconds, paid_seconds, spent, earned } = receipt(row, side)
  return {
    session_id: row.session_id,
    state: row.state,
    seconds,
    paid_seconds,
    ...(side === 'guy'
      ? { spent: toWire('diamond', spent ?? 0n) }
      : { earned: toWire('coin', earned ?? 0n) }),
    reason,
  }
}
