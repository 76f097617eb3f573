import { otherRole } from '@duet/protocol/kernel/roles.ts'
import type { Answer, Query } from '@duet/protocol'
import { wireTime } from '../../../lib/clock.ts'
import { toWire } from '../../../lib/money.ts'
import { paginate, offsetAndLimit } from '../../../lib/pagination.ts'
import type { App } from '../../../core/app.ts'
import type { Member } from '../../../core/viewer.ts'
import { interlocutors } from '../../identity/index.ts'
import { closedCalls } from '../queries.ts'
import { getUserId } from '../rules/call.ts'
import { receipt } from '../rules/receipt.ts'

/** The viewer's own past calls, newest first. */
export async function historyChats(
  app: App,
  viewer: Member,
  query: Query<'GET history_chats'>,
): Promise<Answer<'GET history_chats'>> {
  const side = viewer.role === 'girl' ? 'girl' : 'guy'
  const calls = await closedCalls(app.db, { user_id: viewer.id, side }, offsetAndLimit(query))
  const otherId = (call: (typeof calls)[number]) => getUserId(call, otherRole(side))
  const people = await interlocutors(app, app.db, viewer.id, [...new Set(calls.map(otherId))])
  const peopleById = new Map(people.map((person) => [person.id, person]))
  const items = calls.flatMap((call) => {
    const user_interlocutor = peopleById.get(otherId(call))
    if (!user_interlocutor) return []
    const { reason, seconds, paid_seconds, spent, earned } = receipt(call, side)
    return [
      {
        session_id: call.session_id,
        user_interlocutor,
        state: call.state,
        started_at: wireTime(call.opened_at),
        seconds,
        paid_seconds,
        ...(side === 'guy'
          ? { spent: toWire('diamond', spent ?? 0n) }
          : { earned: toWire('coin', earned ?? 0n) }),
        reason,
      },
    ]
  })
  return { ...paginate(query, items), next: calls.length > query['per-page'] }
}
